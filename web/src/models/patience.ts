/** One signal that ends when an owner wants it to, or when the time is over. */

/** The longest time of a timer, in milliseconds; a longer one, also Infinity, would be over at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why a wait ended. */
export type EndedBy = "owner" | "time";

/** The limits of one wait. */
export interface Patience {
  /** Aborts with either end. */
  readonly signal: AbortSignal;
  /** Why it aborted; undefined while it has not. */
  readonly ended: EndedBy | undefined;
  /** Starts the time of silence anew: something came. */
  heard(): void;
  /** Lets go of timers and listeners; to be called once the wait is over. */
  close(): void;
}

/**
 * Starts a wait that ends with any of `owners`, after `total_ms` in all, or after `silence_ms` in which nothing was heard.
 *
 * AbortSignal.any and .timeout would do the same, but say too late or not at all which of them it was.
 */
export function patience(owners: readonly AbortSignal[], totalMs: number, silenceMs = totalMs): Patience {
  const ending = new AbortController();
  let ended: EndedBy | undefined;
  const end = (by: EndedBy): void => {
    ended ??= by;
    ending.abort();
  };
  const stop = (): void => end("owner");
  const after = (ms: number) => setTimeout(end, Math.min(Math.max(0, ms), LONGEST_TIMER_MS), "time");
  const total = after(totalMs);
  let silence = after(silenceMs);
  for (const owner of owners) owner.addEventListener("abort", stop, { once: true });
  if (owners.some((owner) => owner.aborted)) stop();
  return {
    signal: ending.signal,
    get ended() {
      return ended;
    },
    heard() {
      clearTimeout(silence);
      silence = after(silenceMs);
    },
    close() {
      clearTimeout(total);
      clearTimeout(silence);
      for (const owner of owners) owner.removeEventListener("abort", stop);
    },
  };
}

/** Settles after `ms` milliseconds, or at once when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
