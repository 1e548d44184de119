/** A person's answers about calls, and asking about one call after the other. */
import type { Approval } from "../generated/wire.js";
import type { Approver, AskedCall } from "./ports.js";

/** A call that is answered: its id, and the key that the answer has to name. */
export type AnsweredCall = Pick<AskedCall, "call_id" | "key">;

/** Approves a call, or with `params` the call with other arguments; `by` names the person, for the log. */
export function approved(
  { call_id, key }: AnsweredCall,
  options: { params?: Record<string, unknown>; by?: string } = {},
): Approval {
  return { call_id, key, approved: true, ...options };
}

/** Refuses a call; the model reads the reason, and may try another way. */
export function refused({ call_id, key }: AnsweredCall, reason?: string, options: { by?: string } = {}): Approval {
  return { call_id, key, approved: false, ...(reason !== undefined && { reason }), ...options };
}

/** Answers about one call: true or false, or what `approved` or `refused` gives. */
export type ApproveCall = (call: AskedCall, signal: AbortSignal) => boolean | Approval | Promise<boolean | Approval>;

/** Gives the port `approve` that asks about one call after the other; rejects for an answer that is none, which never counts as a yes. */
export function approveEach(approve: ApproveCall): Approver {
  return async (calls, signal) => {
    const answers: Approval[] = [];
    for (const call of calls) {
      if (signal.aborted) break; // nobody waits for the rest
      answers.push(answerOf(call, await approve(call, signal)));
    }
    return answers;
  };
}

/** Refuses all calls, where nobody can be asked. */
export async function refuseAll(calls: readonly AnsweredCall[]): Promise<Approval[]> {
  return calls.map((call) => refused(call, "nobody here can approve it"));
}

function answerOf(call: AskedCall, given: unknown): Approval {
  if (given === true) return approved(call);
  if (given === false) return refused(call);
  if (typeof given === "object" && given !== null && typeof (given as Approval).approved === "boolean")
    return given as Approval;
  const got = given === null ? "null" : typeof given;
  throw new TypeError(
    `expected true or false, or what approved or refused gives; approve gave ${got} for ${call.tool}`,
  );
}
