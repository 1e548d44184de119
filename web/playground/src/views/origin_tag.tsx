/** Whose text something is, as a quiet label: one look everywhere, apart where anybody may have written it. */
import type { ArgumentOrigin } from "../../../src/generated/wire.js";
import { explainedCall } from "../data/explained.js";
import type { OriginWords } from "../data/origin_words.js";
import { argumentName, labelWords, originWords } from "../data/origin_words.js";
import { goToCall } from "./go_to.js";
import { Icon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";

function Tag({ words, call_id }: { words: OriginWords; call_id?: string | undefined }) {
  const inside = (
    <>
      {words.labelled && <Icon name="outside" />}
      <UntrustedText text={words.text} />
    </>
  );
  const look = words.labelled ? "origin labelled" : "origin";
  if (call_id === undefined) return <span class={look}>{inside}</span>;
  return (
    <button type="button" class={look} title="Go to the result" onClick={() => goToCall(call_id)}>
      {inside}
    </button>
  );
}

/** The labels of a call's result, where it has any; with the tool's name where nothing beside it says that. */
export function ResultLabels({ call_id, tool = "" }: { call_id: string; tool?: string }) {
  const labels = explainedCall(call_id)?.labels ?? [];
  return (
    <>
      {labelWords(labels, tool).map((words) => (
        <Tag key={words.text} words={words} />
      ))}
    </>
  );
}

/** Where one argument came from; a result can be gone to. */
export function OriginTag({ origin }: { origin: ArgumentOrigin }) {
  return <Tag words={originWords(origin)} call_id={origin.call_id} />;
}

/** Where each argument came from, a line each. */
export function OriginList({ origins }: { origins: readonly ArgumentOrigin[] }) {
  return (
    <div class="origins">
      <p class="hint">Where it comes from</p>
      <ul aria-label="Where the arguments come from">
        {origins.map((origin) => (
          <li key={origin.path}>
            <code>
              <UntrustedText text={argumentName(origin.path)} />
            </code>
            <OriginTag origin={origin} />
          </li>
        ))}
      </ul>
    </div>
  );
}
