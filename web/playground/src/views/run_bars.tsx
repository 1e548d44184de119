/** Bars above the question: for an earlier step that is viewed, and for an unfinished run. */
import { computed } from "@preact/signals";
import { decisionWords } from "../data/event_words.js";
import { derivedAt, derivedSteps, knownOf } from "../data/derived_steps.js";
import { notify, wordsOf } from "../data/notices.js";
import { branch, forkHere, continueRun, closeSession, running, shownSteps, viewed } from "../data/run.js";
import type { DerivedStep } from "../data/steps.js";
import { Icon } from "./icons.js";
import { showView } from "./layout.js";
import { Outside } from "./outside.js";

/** The state after the step shown; undefined until the core has derived it. */
const stands = computed<DerivedStep | undefined>(() => {
  void derivedSteps.value;
  const steps = shownSteps.value;
  const last = steps.at(-1);
  if (!last) return undefined;
  const known = knownOf(last);
  if (!known) void derivedAt(steps, steps.length - 1).catch((error: unknown) => notify(wordsOf(error), "failed"));
  return known;
});

const ended = (found: DerivedStep): boolean => found.decision.type === "done" || found.decision.type === "failed";

/** Whether the newest step asks for something that nobody is doing. */
export const runIsUnfinished = computed(() => {
  const found = stands.value;
  return viewed.value === undefined && !running.value && found !== undefined && !ended(found);
});

/** Whether the earlier step on show waits for something other than a question. */
export const viewedStepIsUnfinished = computed(
  () => viewed.value !== undefined && stands.value !== undefined && !ended(stands.value),
);

export function EarlierStepBar() {
  const at = viewed.value;
  const found = stands.value;
  if (at === undefined) return null;
  return (
    <div class="bar" role="group" aria-label="An earlier step">
      <p>
        <b>Step {at + 1}</b> of {branch.value?.steps.length}. {found && <Outside text={nextWords(found)} />}
      </p>
      <button type="button" class="primary" disabled={!found || running.value} onClick={() => void forkAndGo(found!)}>
        <Icon name="branch" /> Continue from here
      </button>
      <button type="button" onClick={() => (viewed.value = undefined)}>
        Back to the end
      </button>
    </div>
  );
}

async function forkAndGo(found: DerivedStep): Promise<void> {
  showView("chat");
  await forkHere();
  if (ended(found)) document.querySelector<HTMLElement>("#question")?.focus();
  else await continueRun();
}

export function UnfinishedRunBar() {
  if (!runIsUnfinished.value) return null;
  return (
    <div class="bar" role="group" aria-label="The run is not finished">
      <p>
        <Outside text={nextWords(stands.value!)} />
      </p>
      <button type="button" class="primary" onClick={() => void continueRun()}>
        Continue
      </button>
      <button type="button" onClick={closeSession}>
        New run
      </button>
    </div>
  );
}

function nextWords({ decision }: DerivedStep): string {
  const { label, text } = decisionWords(decision);
  return `Next: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}
