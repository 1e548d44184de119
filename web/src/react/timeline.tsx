"use client";
/** What an agent did, step by step, each in one line. */
import type { CallItem, ChatItem } from "../agent/snapshot.js";
import { useWords } from "./chat_words.js";
import { callText, placedName, ToldText, wholeText } from "./told_text.js";

export interface TimelineProps {
  /** The items of a snapshot; only its calls are steps. */
  readonly items: readonly ChatItem[];
}

/** Shows the calls of a run in order, with what became of each. */
export function Timeline({ items }: TimelineProps) {
  const words = useWords();
  const calls = items.filter((item) => item.type === "call");
  if (calls.length === 0) return null;
  return (
    <ol className="purestep-timeline" aria-label={words.steps}>
      {calls.map((call, at) => (
        <li key={at} data-status={call.status}>
          <CallStep call={call} />
        </li>
      ))}
    </ol>
  );
}

/** Shows one call: its line, and behind it the arguments and the result as they are. */
export function CallStep({ call: { tool, path, params_json, status, output, error } }: { call: CallItem }) {
  const words = useWords();
  const result = status === "failed" ? (error ?? "") : wholeText(output);
  return (
    <details className="purestep-call" data-status={status}>
      <summary>
        <span className="purestep-status">{words.calls[status]}</span>{" "}
        <code>
          <ToldText text={callText(placedName(tool, path), params_json)} />
        </code>
      </summary>
      <Told label={words.arguments} text={params_json} />
      {result !== "" && <Told label={words.result} text={result} />}
    </details>
  );
}

function Told({ label, text }: { label: string; text: string }) {
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <pre>
        <ToldText text={text} />
      </pre>
    </figure>
  );
}
