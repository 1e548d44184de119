/** What the run waits for, as a card to answer: calls to approve, a tool to play, an output to write. */
import { useSignal } from "@preact/signals";
import type { Waiting, WaitingOutput, WaitingStorage, WaitingTool } from "../data/waiting.js";
import { ApprovalCard } from "./approval_card.js";
import { useFocusWhenIdle } from "./focus_when_idle.js";
import { laidOut } from "../data/json_layout.js";
import { parseVerbatim } from "../../../src/exact_numbers.js";
import { sanitizedJson } from "../../../src/sanitize.js";
import { ToneIcon } from "./icons.js";
import { JsonText } from "./json_text.js";
import { storageTrouble } from "../data/store.js";
import { UntrustedText } from "./untrusted_text.js";

export function WaitingCard({ card }: { card: Waiting }) {
  switch (card.kind) {
    case "approval":
      return <ApprovalCard card={card} />;
    case "tool":
      return <ToolCard card={card} />;
    case "output":
      return <OutputCard card={card} />;
    case "storage":
      return <StorageCard card={card} />;
  }
}

function ToolCard({ card }: { card: WaitingTool }) {
  const output = useSignal("");
  const field = useFocusWhenIdle();
  const give = (): void => card.answer({ ok: true, output: valueOf(output.value) });
  const fail = (): void => card.answer({ ok: false, error: output.value || "it failed", error_kind: "execution" });
  return (
    <form
      class="card waiting"
      aria-labelledby={`card-${card.id}`}
      onSubmit={(event) => (event.preventDefault(), give())}
    >
      <h3 id={`card-${card.id}`}>
        <ToneIcon tone="waiting" /> You play the tool{" "}
        <code>
          <UntrustedText text={card.call.tool} />
        </code>
      </h3>
      <p class="hint">This page has no such tool. It was called with</p>
      <pre class="code whole">
        <JsonText text={sanitizedJson(laidOut(card.call.params_json))} />
      </pre>
      <p class="hint tool-key">
        Key <code>{card.call.key}</code>, the same after every restart
      </p>
      <label for={`output-${card.id}`}>What does it return? JSON or text</label>
      <textarea
        id={`output-${card.id}`}
        ref={field}
        rows={3}
        class="mono"
        onInput={(event) => (output.value = event.currentTarget.value)}
      />
      <div class="buttons">
        <button class="primary">Return this result</button>
        <button type="button" onClick={fail}>
          Fail with this message
        </button>
      </div>
    </form>
  );
}

/** Nothing is acted on before the person knows that it would not be remembered. */
function StorageCard({ card }: { card: WaitingStorage }) {
  const again = useFocusWhenIdle<HTMLButtonElement>();
  return (
    <section class="card failed" role="alert" aria-labelledby={`card-${card.id}`}>
      <h3 id={`card-${card.id}`}>
        <ToneIcon tone="failed" /> This step could not be stored
      </h3>
      <p>
        The run waits, because <UntrustedText text={storageTrouble.value} />. If it goes on and this page closes, it
        continues from step {card.storedSteps}, and what comes after may be done twice.
      </p>
      <div class="buttons">
        <button type="button" class="primary" ref={again} onClick={() => card.answer("again")}>
          Try again
        </button>
        <button type="button" onClick={() => card.answer("unstored")}>
          Go on without storing
        </button>
      </div>
    </section>
  );
}

/** Text that is JSON is its value; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return parseVerbatim(text);
  } catch {
    return text;
  }
}

const TEMPLATES = [
  ["Answer", '{"kind":"final","content":"…"}'],
  ["Tool call", '{"kind":"tool_call","tool_name":"…","arguments":{}}'],
] as const;

function OutputCard({ card }: { card: WaitingOutput }) {
  const output = useSignal(card.suggested);
  const field = useFocusWhenIdle();
  return (
    <form
      class="card waiting"
      aria-labelledby={`card-${card.id}`}
      onSubmit={(event) => (event.preventDefault(), card.answer(output.value))}
    >
      <h3 id={`card-${card.id}`}>
        <ToneIcon tone="waiting" /> You play the model
      </h3>
      <label for={`output-${card.id}`}>
        {card.suggested
          ? "The script says this; change it to see what would have happened"
          : "The script has ended. What does the model say?"}
      </label>
      <textarea
        id={`output-${card.id}`}
        ref={field}
        rows={4}
        class="mono"
        value={output.value}
        onInput={(event) => (output.value = event.currentTarget.value)}
      />
      <div class="buttons">
        <button class="primary">Say this</button>
        {TEMPLATES.map(([name, text]) => (
          <button type="button" class="quiet" key={name} onClick={() => (output.value = text)}>
            {name}
          </button>
        ))}
      </div>
    </form>
  );
}
