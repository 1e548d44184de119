/** Bars over the question: one looks at an earlier step, or the run stands in the middle and can go on. */
import { computed } from "@preact/signals";
import { decision_words } from "../data/event_words.js";
import { found_at, found_steps, known_of } from "../data/found.js";
import { notify, words_of } from "../data/notices.js";
import { branch, fork_here, go_on, leave_session, running, shown_steps, viewed } from "../data/run.js";
import type { Found } from "../data/steps.js";
import { Icon } from "./icons.js";
import { show_view } from "./layout.js";

/** Where the step on show stands; undefined until the core has said so. */
const stands = computed<Found | undefined>(() => {
  void found_steps.value;
  const steps = shown_steps.value;
  const last = steps.at(-1);
  if (!last) return undefined;
  const known = known_of(last);
  if (!known) void found_at(steps, steps.length - 1).catch((error: unknown) => notify(words_of(error), "failed"));
  return known;
});

const ended = (found: Found): boolean => found.decision.type === "done" || found.decision.type === "failed";

/** Whether the newest step asks for something that nobody is doing. */
export const stands_open = computed(() => {
  const found = stands.value;
  return viewed.value === undefined && !running.value && found !== undefined && !ended(found);
});

/** Whether the earlier step on show waits for something other than a question. */
export const looks_at_open_step = computed(
  () => viewed.value !== undefined && stands.value !== undefined && !ended(stands.value),
);

export function LookingBack() {
  const at = viewed.value;
  const found = stands.value;
  if (at === undefined) return null;
  return (
    <div class="bar" role="group" aria-label="An earlier step">
      <p>
        <b>Step {at + 1}</b> of {branch.value?.steps.length}. {found && next_words(found)}
      </p>
      <button type="button" class="primary" disabled={!found || running.value} onClick={() => void fork_and_go(found!)}>
        <Icon name="branch" /> Go on from here
      </button>
      <button type="button" onClick={() => (viewed.value = undefined)}>
        Back to the end
      </button>
    </div>
  );
}

async function fork_and_go(found: Found): Promise<void> {
  show_view("chat");
  await fork_here();
  if (ended(found)) document.querySelector<HTMLElement>("#question")?.focus();
  else await go_on();
}

export function StandsHere() {
  if (!stands_open.value) return null;
  return (
    <div class="bar" role="group" aria-label="The run stands in the middle">
      <p>{next_words(stands.value!)}</p>
      <button type="button" class="primary" onClick={() => void go_on()}>
        Go on
      </button>
      <button type="button" onClick={leave_session}>
        New run
      </button>
    </div>
  );
}

function next_words({ decision }: Found): string {
  const { label, text } = decision_words(decision);
  return `Next: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}
