/** One model reply while it comes: handed to the core in chunks, and shown as far as the core says. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import type { ModelError, ModelOutput, ReplyOutput } from "../generated/wire.js";
import type { ModelEnd, Reader, ReplySink } from "./ports.js";

/** How an output begins that names a definition which the core does not hold. */
export const UNKNOWN_AGENT = '{"error":{"code":"unknown_agent"';

/** What a reply is opened with. */
export interface ReplyOptions {
  readonly core: AnyCore;
  /** The state of the run that waits for the reply, as JSON text; left out, nothing is filtered. */
  readonly state?: string;
  /** Its definition, for a core that has let go of it. */
  readonly definition: string;
  /** The name of the model that is asked, for a definition that names none. */
  readonly model: string;
  readonly reader: Reader;
}

/** Lets through to a reader what the core lets through; chunks that come while the core is busy go over together. */
export class OutputGate implements ReplySink {
  /** Settles when what the reply comes to is certain although the model goes on, which is to be ended. */
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
    this.#working.catch(() => undefined); // told by close; until then nobody waits for it
  }

  /** Shows what was held back; gives what the run is told. `end` is undefined where the model was ended. */
  async close(end: ModelEnd | undefined): Promise<ModelOutput | ModelError> {
    await this.#working;
    this.#isOver = true;
    const closing = { text: this.#text, ...(end && { end }) };
    return this.#take(await this.#ask(JSON.stringify(closing))).observation!;
  }

  async #drain(): Promise<void> {
    await undefined; // so that what comes in one turn of the event loop goes over in one piece
    while (this.#waiting.length > 0 && !this.#isOver) {
      const output = await this.#ask(JSON.stringify({ chunks: this.#waiting.splice(0) }));
      const { text = "", is_over = false, is_settled = false } = this.#take(output);
      this.#text += text;
      this.#isOver = is_over;
      if (is_settled) this.#settle(undefined);
    }
    this.#working = undefined;
  }

  /** Asks the core about the reply, which is opened first where it is not yet. */
  async #ask(members: string): Promise<string> {
    const { state, model } = this.#options;
    const waiting = state === undefined ? "" : `"state":${state},`;
    this.#reply ??= replyOf(await this.#receive(`{${waiting}"model":${JSON.stringify(model)}}`));
    return this.#receive(`{"reply":${this.#reply},${members.slice(1)}`);
  }

  /** Calls the core; one that many runs share may have let go of the definition in between. */
  async #receive(input: string): Promise<string> {
    const { core, definition } = this.#options;
    const output = await core.receive_model_reply(input);
    if (!output.startsWith(UNKNOWN_AGENT)) return accepted(output);
    // Nothing is waited for between the two: other runs would take its place again.
    const loaded = core.load_agent(definition);
    const again = core.receive_model_reply(input);
    accepted(await loaded);
    return accepted(await again);
  }

  #take(output: string): ReplyOutput {
    const told = JSON.parse(output) as ReplyOutput;
    if (told.reply) this.#reply = JSON.stringify(told.reply);
    if (told.text) this.#options.reader.onProgress?.(told.text.length);
    for (const event of told.events ?? []) {
      if (event.type === "text") this.#options.reader.onText?.(event.text);
      if (event.type === "call") this.#options.reader.onCall?.(event.tool, event.params);
      if (event.type === "retract") this.#options.reader.onRetract?.();
    }
    return told;
  }
}

function replyOf(output: string): string {
  return JSON.stringify((JSON.parse(output) as ReplyOutput).reply);
}
