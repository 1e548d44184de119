/** One model reply while it is generated: passes chunks to the core, and what may be shown to a watcher. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { Cancel, ModelError, ModelOutput, ReplyOutput } from "../generated/wire.js";
import type { Clock, ModelEnd, OutputWatcher, PromptProgress, ReplySink } from "./ports.js";

type StreamEvent = NonNullable<ReplyOutput["events"]>[number];

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
  /** What is sent beside messages and tools, for the log. */
  readonly request?: Record<string, unknown>;
  /** Times the request and its first token, for the log. */
  readonly clock?: Clock;
}

/**
 * The reply sink of a model adapter; passes to a watcher the text and the reasoning that the core emits.
 *
 * Chunks that arrive during a call of the core are sent together.
 */
export class OutputGate implements ReplySink {
  /** Settles when the rest of the reply cannot change the decision, so that generation should stop. */
  readonly settled: Promise<undefined>;
  readonly #options: ReplyOptions;
  #settle!: (end: undefined) => void;
  #waiting: string[] = [];
  /** When the first of these came. */
  #cameAt: number | undefined;
  readonly #askedAt: number | undefined;
  #hasBegun = false;
  #text = "";
  /** The text that was shown, which may prove to be reasoning. */
  #shown = "";
  #isOver = false;
  #reply: string | undefined;
  #working: Promise<void> | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#askedAt = options.clock?.();
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
    if (this.#waiting.length === 0 && !this.#hasBegun) this.#cameAt = this.#options.clock?.();
    this.#waiting.push(json);
    if (this.#working) return;
    this.#working = this.#drain();
    this.#working.catch(() => undefined); // close() reports it
  }

  promptRead(progress: PromptProgress): void {
    if (!this.#isOver) this.#options.watcher.onPromptRead?.(progress);
  }

  /** Shows the text that was held back and gives the observation. `end` is undefined if the generation was stopped. */
  async close(end: ModelEnd | undefined): Promise<ModelOutput | ModelError> {
    await this.#working;
    this.#isOver = true;
    return (await this.#closed(end)) as ModelOutput | ModelError;
  }

  /** Gives the observation that stops the run, with what is known of the reply so far, of which no more is kept. */
  async cancel(reason: string): Promise<Cancel> {
    this.#isOver = true;
    await this.#working;
    return (await this.#closed({ type: "cancel", reason })) as Cancel;
  }

  async #closed(end: ModelEnd | Cancel | undefined): Promise<NonNullable<ReplyOutput["observation"]>> {
    const closing = { text: this.#text, ...(end && { end }) };
    return this.#take(await this.#ask(writeExactly(closing))).observation!;
  }

  async #drain(): Promise<void> {
    await undefined; // so that chunks of one turn of the event loop are sent together
    while (this.#waiting.length > 0 && !this.#isOver) {
      const at = this.#hasBegun ? undefined : this.#cameAt;
      const output = await this.#ask(JSON.stringify({ chunks: this.#waiting.splice(0), at }));
      const { text = "", is_over = false, is_settled = false } = this.#take(output);
      this.#text += text;
      this.#isOver = is_over;
      if (is_settled) this.#settle(undefined);
    }
    this.#working = undefined;
  }

  /** Calls the core with the reply, which is opened first. */
  async #ask(members: string): Promise<string> {
    this.#reply ??= replyOf(await this.#receive(this.#opening()));
    return this.#receive(`{"reply":${this.#reply},${members.slice(1)}`);
  }

  #opening(): string {
    const { state, model, request } = this.#options;
    const waiting = state === undefined ? "" : `"state":${state},`;
    return `{${waiting}${writeExactly({ model, request, at: this.#askedAt }).slice(1)}`;
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
    if (output.reply) {
      this.#reply = writeExactly(output.reply);
      this.#hasBegun = output.reply.first_token_at !== undefined;
    }
    if (output.text) this.#options.watcher.onProgress?.(output.text.length);
    for (const event of output.events ?? []) this.#show(event);
    return output;
  }

  #show(event: StreamEvent): void {
    const { watcher } = this.#options;
    if (event.type === "text") {
      this.#shown += event.text;
      watcher.onText?.(event.text);
    }
    if (event.type === "reasoning") watcher.onReasoning?.(event.reasoning);
    if (event.type === "call") watcher.onCall?.(event.tool, event.params);
    if (event.type !== "retract") return;
    watcher.onRetract?.();
    if (this.#shown !== "") watcher.onReasoning?.(this.#shown);
    this.#shown = "";
  }
}

function replyOf(output: string): string {
  return writeExactly((parseVerbatim(output) as ReplyOutput).reply);
}
