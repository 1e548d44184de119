/** The state after each step: kept while a run goes on, else derived from the log by the core. */
import { signal } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import { readTree } from "../../../src/agent/decision_text.js";
import { parseExactly, parseVerbatim } from "../../../src/exact_numbers.js";
import type { Decision, Message } from "../../../src/generated/wire.js";
import { coreReady } from "../core/load_core.js";
import type { DerivedStep, Step } from "./steps.js";
import { logText } from "./steps.js";

const known = new WeakMap<Step, DerivedStep>();
const asked = new WeakMap<Step, Promise<DerivedStep>>();

/** Changes whenever another step is derived, so that views of steps update. */
export const derivedSteps = signal(0);

export function remember(step: Step, found: DerivedStep): void {
  known.set(step, found);
  derivedSteps.value += 1;
}

/** Gives a step that was derived already, without asking the core. */
export function knownOf(step: Step): DerivedStep | undefined {
  return known.get(step);
}

/** Gives the state after the step at this index, which the core derives by replaying the log up to it. */
export function derivedAt(steps: readonly Step[], index: number): Promise<DerivedStep> {
  const step = steps[index]!;
  const here = known.get(step);
  if (here) return Promise.resolve(here);
  const asking = asked.get(step) ?? derive(steps.slice(0, index + 1), step);
  asked.set(step, asking);
  asking.catch(() => asked.delete(step)); // a core that was lost and started again may be asked again
  return asking;
}

async function derive(steps: readonly Step[], step: Step): Promise<DerivedStep> {
  const core = await coreReady();
  const lines = accepted(await core.replay_log_lines(logText(steps))).split("\n");
  const [state, messages, , decision, , tree] = lines as [string, string, string, string, string, string?];
  const found: DerivedStep = {
    state,
    messages: parseVerbatim(messages) as Message[],
    decision: parseExactly(decision) as Decision,
    decision_json: decision,
    ...readTree(tree),
  };
  remember(step, found);
  return found;
}
