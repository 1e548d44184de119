/** Where a run stands after each step: known while it runs, derived by the core from the log where it is not. */
import { signal } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import { coreReady } from "../core/load_core.js";
import type { Found, Step } from "./steps.js";
import { logText } from "./steps.js";

const known = new WeakMap<Step, Found>();
const asked = new WeakMap<Step, Promise<Found>>();

/** Changes whenever another step is known, so that what shows steps looks again. */
export const foundSteps = signal(0);

export function remember(step: Step, found: Found): void {
  known.set(step, found);
  foundSteps.value += 1;
}

/** Gives what is known of a step without asking. */
export function knownOf(step: Step): Found | undefined {
  return known.get(step);
}

/** Gives where the run stood after the step at this index: the core folds the log up to it. */
export function foundAt(steps: readonly Step[], index: number): Promise<Found> {
  const step = steps[index]!;
  const here = known.get(step);
  if (here) return Promise.resolve(here);
  const asking = asked.get(step) ?? derive(steps.slice(0, index + 1), step);
  asked.set(step, asking);
  return asking;
}

async function derive(steps: readonly Step[], step: Step): Promise<Found> {
  const core = await coreReady();
  const lines = accepted(await core.replay_log_lines(logText(steps))).split("\n");
  const [state, messages, , decision] = lines as [string, string, string, string];
  const found: Found = { state, messages: JSON.parse(messages), decision: JSON.parse(decision) };
  remember(step, found);
  return found;
}
