/** Deadlines and pauses: one signal that aborts when an owner does, or when the time is over. */

/** The longest time of a timer, in milliseconds; a longer one, also Infinity, would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why a deadline ended. */
export type EndedBy = "owner" | "time";

/** A time limit on some work. */
export interface Deadline {
  /** Aborts with either end; its reason says which. */
  readonly signal: AbortSignal;
  /** Why it aborted; undefined while it has not. */
  readonly ended: EndedBy | undefined;
  /** Restarts the silence limit, after data was received. */
  resetSilence(): void;
  /** The milliseconds left of the total. */
  leftMs(): number;
  /** Removes timers and listeners; call it once the work is done. */
  close(): void;
}

/**
 * Starts a deadline: it ends with any of `owners`, after `totalMs` in all, or after `silenceMs` without `resetSilence`.
 *
 * AbortSignal.any and .timeout would do the same, but do not say in time which of them aborted, and Node 20 can collect
 * their combination as garbage while it is awaited.
 */
export function deadline(owners: readonly AbortSignal[], totalMs: number, silenceMs = totalMs): Deadline {
  const ending = new AbortController();
  let ended: EndedBy | undefined;
  const end = (by: EndedBy): void => {
    ended ??= by;
    ending.abort(by);
  };
  const endsAt = performance.now() + totalMs;
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
    resetSilence() {
      clearTimeout(silence);
      silence = after(silenceMs);
    },
    leftMs: () => endsAt - performance.now(),
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
