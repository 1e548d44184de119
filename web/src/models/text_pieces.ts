/** Text that a library gives by a callback, as pieces that can be awaited, up to the first of some stop texts. */

export class TextPieces implements AsyncIterable<string> {
  readonly #ready: string[] = [];
  #held = "";
  #isStopped = false;
  #isOver = false;
  #error: unknown;
  #wake: () => void = () => undefined;

  /** Takes the texts before which the text is to end. */
  constructor(readonly stops: readonly string[]) {}

  /** Whether a stop text has come. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Takes the next piece; what may be the begin of a stop text is held back. */
  add(text: string): void {
    if (this.#isOver || this.#isStopped) return;
    const all = this.#held + text;
    const found = this.stops.map((stop) => all.indexOf(stop)).filter((at) => at >= 0);
    this.#isStopped = found.length > 0;
    const end = this.#isStopped ? Math.min(...found) : all.length - this.#maybeStop(all);
    this.#held = this.#isStopped ? "" : all.slice(end);
    if (end > 0) this.#ready.push(all.slice(0, end));
    this.#wake();
  }

  /** Says that no more will come. */
  end(): void {
    if (this.#held !== "" && !this.#isOver) this.#ready.push(this.#held);
    this.#held = "";
    this.#isOver = true;
    this.#wake();
  }

  /** Says that the work has failed. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      while (this.#ready.length > 0) yield this.#ready.shift()!;
      if (this.#isOver) break;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#error !== undefined) throw this.#error;
  }

  /** Gives the length of the longest end of a text with which a stop text begins. */
  #maybeStop(text: string): number {
    const longest = Math.max(0, ...this.stops.map((stop) => stop.length - 1));
    for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
      const end = text.slice(-length);
      if (this.stops.some((stop) => stop.startsWith(end))) return length;
    }
    return 0;
  }
}
