/** What a run and its agents ask for at a time, and which of it is to be done next. */
import type { Decision, Done, Failed, ToolCall } from "../generated/wire.js";
import type { OpenDecision, StepTaken } from "./ports.js";

/** Gives all that is asked for. */
export function openOf(step: OpenDecision & Pick<StepTaken, "also">): readonly OpenDecision[] {
  return [step, ...step.also];
}

/** Gives what is to be done next: all that is asked for, and people only once nothing else is left. */
export function dueOf(step: StepTaken): readonly OpenDecision[] {
  const open = openOf(step);
  const works = open.filter(({ decision }) => decision.type === "call_model" || runs(decision));
  return works.length > 0 ? works : open.filter(({ decision }) => decision.type === "request_approval");
}

/** Tells whether what is to be done next is to ask people. */
export function asks(due: readonly OpenDecision[]): boolean {
  return due.every(({ decision }) => decision.type === "request_approval");
}

/** Whether a decision has calls that are to be run. */
export function runs(decision: Decision): boolean {
  return (decision.type === "invoke_tool" || decision.type === "invoke_skill") && (decision.calls ?? []).some(isHere);
}

/** Whether a call is to be run; others go on elsewhere. */
export function isHere({ handle }: Pick<ToolCall, "handle">): boolean {
  return handle === undefined;
}

export function hasEnded(decision: Decision): decision is Done | Failed {
  return decision.type === "done" || decision.type === "failed";
}
