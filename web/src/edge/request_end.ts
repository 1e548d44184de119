/** The error for a request that ends before its answer is complete. */
import { PurestepError } from "../errors.js";

/** Gives the error by the reason of its deadline's signal; `rest` says what happened to its run. */
export function overError(signal: AbortSignal, rest: string): PurestepError {
  if (signal.reason === "owner") return new PurestepError("client_gone", `the connection was closed; ${rest}`);
  return new PurestepError("time_limit", `the time of a request is over; ${rest}`);
}
