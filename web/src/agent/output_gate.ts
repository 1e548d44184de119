/** One model reply while it is generated: passes chunks to the core, and the text that may be shown to a watcher. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { ModelError, ModelOutput, ReplyOutput } from "../generated/wire.js";
import type { ModelEnd, OutputWatcher, ReplySink } from "./ports.js";

/** The start of an output that says the core does not have the definition. */
export const UNKNOWN_AGENT = '{"error":{"code":"unknown_agent"';

/** How to open a reply. */
export interface ReplyOptions {
  readonly core: AnyCore;
  /** The state of the run that waits for the reply, as JSON text; left out, nothing is filtered. */
  readonly state?: string;
  /** Its definition, for a core that has evicted it. */
  readonly definition: string;
  /** The model's name, for a definition without one. */
  readonly model: string;
  readonly watcher: OutputWatcher;
}

/**
 * The reply sink of a model adapter; passes to a watcher the text that the core emits.
 *
 * Chunks that arrive during a call of the core are sent together.
 */
export class OutputGate implements ReplySink {
  /** Settles when the rest of the reply cannot change the decision, so that generation should stop. */
  readonly settled: Promise<undefined>;
  readonly #options: ReplyOptions;
  #settle!: (end: undefined) => void;
  #waiting: string[] = [];
  #text = "";
  #isOver = false;
  #reply: string | undefined;
  #working: Promise<void> | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.settled = new Promise((resolve) => (this.#settle = resolve));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  text(piece: string): void {
    this.chunk(JSON.stringify({ choices: [{ delta: { content: piece } }] }));
  }

  chunk(json: string): void {
    if (this.#isOver) return;
    this.#waiting.push(json);
    if (this.#working) return;
    this.#working = this.#drain();
    this.#working.catch(() => undefined); // close() reports it
  }

  /** Shows the text that was held back and gives the observation. `end` is undefined if the generation was stopped. */
  async close(end: ModelEnd | undefined): Promise<ModelOutput | ModelError> {
    await this.#working;
    this.#isOver = true;
    const closing = { text: this.#text, ...(end && { end }) };
    return this.#take(await this.#ask(writeExactly(closing))).observation!;
  }

  async #drain(): Promise<void> {
    await undefined; // so that chunks of one turn of the event loop are sent together
    while (this.#waiting.length > 0 && !this.#isOver) {
      const output = await this.#ask(JSON.stringify({ chunks: this.#waiting.splice(0) }));
      const { text = "", is_over = false, is_settled = false } = this.#take(output);
      this.#text += text;
      this.#isOver = is_over;
      if (is_settled) this.#settle(undefined);
    }
    this.#working = undefined;
  }

  /** Calls the core with the reply, which is opened first. */
  async #ask(members: string): Promise<string> {
    const { state, model } = this.#options;
    const waiting = state === undefined ? "" : `"state":${state},`;
    this.#reply ??= replyOf(await this.#receive(`{${waiting}"model":${JSON.stringify(model)}}`));
    return this.#receive(`{"reply":${this.#reply},${members.slice(1)}`);
  }

  /** Calls the core; one that many runs share may have evicted the definition. */
  async #receive(input: string): Promise<string> {
    const { core, definition } = this.#options;
    const output = await core.receive_model_reply(input);
    if (!output.startsWith(UNKNOWN_AGENT)) return accepted(output);
    // No await between the two: other runs could evict it again.
    const loaded = core.load_agent(definition);
    const again = core.receive_model_reply(input);
    accepted(await loaded);
    return accepted(await again);
  }

  #take(text: string): ReplyOutput {
    const output = parseVerbatim(text) as ReplyOutput;
    if (output.reply) this.#reply = writeExactly(output.reply);
    if (output.text) this.#options.watcher.onProgress?.(output.text.length);
    for (const event of output.events ?? []) {
      if (event.type === "text") this.#options.watcher.onText?.(event.text);
      if (event.type === "call") this.#options.watcher.onCall?.(event.tool, event.params);
      if (event.type === "retract") this.#options.watcher.onRetract?.();
    }
    return output;
  }
}

function replyOf(output: string): string {
  return writeExactly((parseVerbatim(output) as ReplyOutput).reply);
}
