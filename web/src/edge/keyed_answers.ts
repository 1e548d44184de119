/** A person's answers about calls, from a client that knows the calls by their keys alone. */
import { PurestepError } from "../errors.js";
import { writeExactly } from "../exact_numbers.js";
import type { Approval, Decision } from "../generated/wire.js";

/** One of these; the core checks the other members. */
export type KeyedAnswer = { [Name in keyof Omit<Approval, "call_id">]: unknown } & { key: string };

/**
 * Gives answers as the core takes them, which name a call by its id too; undefined where none of the calls waits now.
 *
 * open: what the run and its agents ask for. Throws PurestepError where some wait and others do not.
 */
export function approvalsOf(answers: readonly KeyedAnswer[], open: readonly Decision[]): string | undefined {
  const waiting = open.flatMap((decision) => (decision.type === "request_approval" ? decision.calls : []));
  const found = answers.map((answer) => {
    const call = waiting.find(({ key }) => key === answer.key);
    return call && { call_id: call.call_id, ...answer };
  });
  if (found.every((answer) => answer === undefined)) return undefined;
  if (found.includes(undefined)) throw staleAnswer();
  return writeExactly(found);
}

/** The error for answers about calls that do not wait. */
export function staleAnswer(): PurestepError {
  return new PurestepError("stale_approval", "no call with this interruptId waits; read the last interrupts");
}
