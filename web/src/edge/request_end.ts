/** What a request is told that is over although it has no answer yet. */
import { PurestepError } from "../errors.js";

/** Gives the error by the reason of its deadline's signal; `rest` says what became of its work. */
export function overError(signal: AbortSignal, rest: string): PurestepError {
  if (signal.reason === "owner") return new PurestepError("client_gone", `the connection was closed; ${rest}`);
  return new PurestepError("time_limit", `the time of a request is over; ${rest}`);
}
