/** A run as an async iterable of events: what happens is queued until it is asked for. */
import { PurestepError } from "../errors.js";
import type { AgentEvent, OnEvent, RunEnded } from "./events.js";

/** Begins a run, tells its events, and gives the last one; rejects for what is wrong with the program. */
export type BeginRun = (tell: OnEvent) => Promise<RunEnded>;

/**
 * The events of one run, which begins when the first one, or `result`, is asked for.
 *
 * Leaving the loop early cancels the run, and waits until its log is whole.
 */
export class RunStream implements AsyncIterable<AgentEvent>, AsyncIterator<AgentEvent, undefined> {
  readonly #begin: BeginRun;
  readonly #cancel: () => void;
  readonly #queue: AgentEvent[] = [];
  #result: Promise<RunEnded> | undefined;
  #isOver = false;
  #hasLeft = false;
  #sleepers: (() => void)[] = [];

  constructor(begin: BeginRun, cancel: () => void) {
    this.#begin = begin;
    this.#cancel = cancel;
  }

  /**
   * The last event, without the others; rejects for what is wrong with the program, such as a definition, and with the
   * code `not_begun` where the stream was left before the run began.
   */
  get result(): Promise<RunEnded> {
    if (this.#hasLeft && !this.#result)
      return Promise.reject(new PurestepError("not_begun", "the stream was left before its run began; begin another"));
    return this.#started();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<AgentEvent, undefined>> {
    if (this.#hasLeft) return { done: true, value: undefined };
    const result = this.#started();
    while (this.#queue.length === 0 && !this.#isOver) await this.#news();
    const event = this.#queue.shift();
    if (event) return { done: false, value: event };
    await result;
    return { done: true, value: undefined };
  }

  /** Cancels the run unless it has ended. */
  async return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#hasLeft = true;
    if (this.#result && !this.#isOver) {
      this.#cancel();
      await this.#result.catch(() => undefined); // who leaves does not want to know
    }
    return { done: true, value: undefined };
  }

  #started(): Promise<RunEnded> {
    if (!this.#result) {
      this.#result = this.#run();
      this.#result.catch(() => undefined); // next() and result report it
    }
    return this.#result;
  }

  async #run(): Promise<RunEnded> {
    try {
      const end = await this.#begin((event) => this.#push(event));
      this.#push(end);
      return end;
    } finally {
      this.#isOver = true;
      this.#wake();
    }
  }

  #push(event: AgentEvent): void {
    this.#queue.push(event);
    this.#wake();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => void this.#sleepers.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#sleepers.splice(0)) wake();
  }
}
