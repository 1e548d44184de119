/** Bars over the question: one looks at an earlier step, or the run stands in the middle and can go on. */
import { computed } from "@preact/signals";
import { decisionWords } from "../data/event_words.js";
import { foundAt, foundSteps, knownOf } from "../data/found.js";
import { notify, wordsOf } from "../data/notices.js";
import { branch, forkHere, goOn, leaveSession, running, shownSteps, viewed } from "../data/run.js";
import type { Found } from "../data/steps.js";
import { Icon } from "./icons.js";
import { showView } from "./layout.js";

/** Where the step on show stands; undefined until the core has said so. */
const stands = computed<Found | undefined>(() => {
  void foundSteps.value;
  const steps = shownSteps.value;
  const last = steps.at(-1);
  if (!last) return undefined;
  const known = knownOf(last);
  if (!known) void foundAt(steps, steps.length - 1).catch((error: unknown) => notify(wordsOf(error), "failed"));
  return known;
});

const ended = (found: Found): boolean => found.decision.type === "done" || found.decision.type === "failed";

/** Whether the newest step asks for something that nobody is doing. */
export const standsOpen = computed(() => {
  const found = stands.value;
  return viewed.value === undefined && !running.value && found !== undefined && !ended(found);
});

/** Whether the earlier step on show waits for something other than a question. */
export const looksAtOpenStep = computed(
  () => viewed.value !== undefined && stands.value !== undefined && !ended(stands.value),
);

export function LookingBack() {
  const at = viewed.value;
  const found = stands.value;
  if (at === undefined) return null;
  return (
    <div class="bar" role="group" aria-label="An earlier step">
      <p>
        <b>Step {at + 1}</b> of {branch.value?.steps.length}. {found && nextWords(found)}
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

async function forkAndGo(found: Found): Promise<void> {
  showView("chat");
  await forkHere();
  if (ended(found)) document.querySelector<HTMLElement>("#question")?.focus();
  else await goOn();
}

export function StandsHere() {
  if (!standsOpen.value) return null;
  return (
    <div class="bar" role="group" aria-label="The run is not finished">
      <p>{nextWords(stands.value!)}</p>
      <button type="button" class="primary" onClick={() => void goOn()}>
        Continue
      </button>
      <button type="button" onClick={leaveSession}>
        New run
      </button>
    </div>
  );
}

function nextWords({ decision }: Found): string {
  const { label, text } = decisionWords(decision);
  return `Next: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}
