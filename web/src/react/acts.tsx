"use client";
/** What may have been changed, whatever an answer says of it. */
import type { ToldActs } from "../agent/acts.js";
import { writeExactly } from "../exact_numbers.js";
import { useWords } from "./chat_words.js";
import { callText, placedName, ToldText } from "./told_text.js";

/** The members of an answer or a failure that tell its acts. */
export type ActsProps = ToldActs;

/** Shows the acts of an ending; nothing where no tool may act. */
export function Acts({ acts, acts_left_out = 0 }: ActsProps) {
  const words = useWords();
  if (acts === undefined) return null;
  if (acts.length === 0) return <p className="purestep-acts">{words.noActs}</p>;
  return (
    <section className="purestep-acts" aria-label={words.acts}>
      <p>{acts.some(({ status }) => status !== "refused") ? words.acts : words.noActs}</p>
      <ul>
        {acts.map(({ tool, path, params, status }, at) => (
          <li key={at} data-status={status}>
            <ToldText text={callText(placedName(tool, path), writeExactly(params))} />
            {status !== "succeeded" && <b> ({words.ends[status]})</b>}
          </li>
        ))}
        {acts_left_out > 0 && <li>{words.more(acts_left_out)}</li>}
      </ul>
    </section>
  );
}
