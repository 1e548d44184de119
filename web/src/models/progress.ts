/** Progress of loading a model, for display: it never decreases and ends at 1. */

/** How far loading is. */
export interface ModelProgress {
  /** From 0 to 1; never less than before. */
  readonly fraction: number;
  /** What is being done, for people. */
  readonly text: string;
  /** Bytes fetched so far and in all, where they are known. */
  readonly loadedBytes?: number;
  readonly totalBytes?: number;
}

export type OnProgress = (progress: ModelProgress) => void;

// The share of the remaining progress that one stage may take, which leaves room for later stages.
const SHARE = 0.85;
// A report below this part of the last one starts a new stage; a smaller drop is jitter.
const FALL = 0.5;

/** Turns the reports of one load into progress. */
export class ProgressReporter {
  #shown = 0;
  #stageBegin = 0;
  #last = 0;

  constructor(readonly onProgress: OnProgress = () => undefined) {}

  /**
   * Takes a report, `fraction` from 0 to 1, of a library whose counting may start over.
   *
   * Each time it does, a new stage begins, which gets most of the rest of the bar.
   */
  report(fraction: number, text: string, bytes: { loadedBytes?: number; totalBytes?: number } = {}): void {
    const part = Math.min(1, Math.max(0, Number.isFinite(fraction) ? fraction : 0));
    if (part < this.#last * FALL) this.#stageBegin = this.#shown;
    this.#last = part;
    const stageEnd = this.#stageBegin + (1 - this.#stageBegin) * SHARE;
    this.#shown = Math.max(this.#shown, this.#stageBegin + (stageEnd - this.#stageBegin) * part);
    this.onProgress({ fraction: this.#shown, text, ...bytes });
  }

  /** Says that the model is ready. */
  done(text: string): void {
    this.onProgress({ fraction: 1, text });
  }
}
