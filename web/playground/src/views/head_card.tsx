/** The head of the log on show, to keep elsewhere; and the way to hold the log against one that was kept. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { derivedAt, derivedSteps, knownOf } from "../data/derived_steps.js";
import { checkKept } from "../data/heads.js";
import { announce, notify, wordsOf } from "../data/notices.js";
import { branch, running } from "../data/run.js";
import type { Step } from "../data/steps.js";
import { headOf, logText } from "../data/steps.js";
import { CopyButton } from "./copy_button.js";

export async function currentHead(): Promise<string> {
  const { steps } = branch.value!;
  return headOf((await derivedAt(steps, steps.length - 1)).state);
}

export function HeadCard({ steps }: { steps: readonly Step[] }) {
  void derivedSteps.value;
  const known = knownOf(steps.at(-1)!);
  useEffect(() => {
    // A log that does not hold was reported where it was opened.
    if (!running.value) derivedAt(steps, steps.length - 1).catch(() => undefined);
  }, [steps]);
  return (
    <section class="head-card" aria-label="The head of this log">
      <p class="head-line">
        <span class="hint">Head</span> <code>{known ? headOf(known.state) : "…"}</code>
        {known && <CopyButton text={headOf(known.state)} label="Copy the head" />}
      </p>
      <details>
        <summary>Check against a head kept elsewhere</summary>
        <KeptHead steps={steps} />
      </details>
    </section>
  );
}

/** Lines cut off the end show only against a head, or an anchor, that was kept elsewhere. */
function KeptHead({ steps }: { steps: readonly Step[] }) {
  const kept = useSignal("");
  const check = async (): Promise<void> => {
    const { found } = await checkKept("The log of this branch", logText(steps), kept.value, { steps });
    announce(found.ok ? "The log meets the head" : `The log does not meet the head: ${found.message}`);
  };
  return (
    <form
      class="compare"
      onSubmit={(event) => {
        event.preventDefault();
        void check().catch((error: unknown) => notify(wordsOf(error), "failed"));
      }}
    >
      <label for="compare-head">Expected head, or an anchor of purestep anchor</label>
      <div>
        <input
          id="compare-head"
          class="mono"
          spellcheck={false}
          autocomplete="off"
          value={kept.value}
          onInput={(event) => (kept.value = event.currentTarget.value)}
        />
        <button disabled={kept.value.trim() === "" || running.value}>Check</button>
      </div>
    </form>
  );
}
