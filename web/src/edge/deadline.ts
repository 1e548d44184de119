/** When a request is over although it has no answer yet: its time is up, or nobody waits for it any more. */
import { PurestepError } from "../errors.js";
import { LONGEST_TIMER_MS } from "../models/patience.js";

/** The end of one request; close it when the request is answered. */
export class Deadline {
  readonly #ending = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #client: AbortSignal;

  // Not AbortSignal.any and AbortSignal.timeout: Node 20 can lose what was made of both while it is waited for.
  constructor(request: Request, timeLimitMs: number) {
    this.#timer = setTimeout(() => this.#ending.abort("time_limit"), Math.min(timeLimitMs, LONGEST_TIMER_MS));
    this.#client = request.signal;
    this.#client.addEventListener("abort", this.#gone, { once: true });
    if (this.#client.aborted) this.#gone();
  }

  /** Aborted once the request is over. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener("abort", this.#gone);
  }

  #gone = (): void => this.#ending.abort("client_gone");
}

/** Gives the error for a request that is over, by the reason of its signal; `rest` says what became of its work. */
export function overError(signal: AbortSignal, rest: string): PurestepError {
  if (signal.reason === "client_gone") return new PurestepError("client_gone", `the connection was closed; ${rest}`);
  return new PurestepError("time_limit", `the time of a request is over; ${rest}`);
}
