/**
 * One model output while it comes: shown as far as the core says, and ended once more of it would change nothing.
 *
 * A model that ends by itself is left to, because its finish reason and the count of its tokens come behind its text.
 * One that goes on where the core has said stop is ended, and what it said up to there is its output: the same text on
 * every host, however it came in pieces, and however much more came while the core was busy.
 */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import type { ModelError, ModelOutput, StreamOutput } from "../generated/wire.js";
import { wellFormed } from "../models/reply.js";
import type { Reader } from "./ports.js";

/** How an output begins that names a definition which the core does not hold. */
export const UNKNOWN_AGENT = '{"error":{"code":"unknown_agent"';

/** One output being heard; chunks that come while the core is busy with one are handed over together. */
export class Hearing {
  /** Settles when the model goes on behind what matters, and is to be ended. */
  readonly over: Promise<undefined>;
  #goOn!: (past: undefined) => void;
  #said = "";
  #taken = 0;
  #end: number | undefined;
  #working: Promise<void> | undefined;
  #stream: string | undefined;

  constructor(
    readonly core: AnyCore,
    readonly state: string,
    readonly definition: string,
    readonly reader: Reader,
  ) {
    this.over = new Promise((resolve) => (this.#goOn = resolve));
  }

  push(chunk: string): void {
    if (!this.#goesOn) this.#said += chunk;
    if (this.#goesOn) this.#goOn(undefined);
    if (this.#working || this.#end !== undefined) return;
    this.#working = this.#drain();
    this.#working.catch(() => undefined); // told by output; until then nobody waits for it
  }

  /**
   * Gives what the run is told, once all is shown: the model's own observation, or the text up to the stop.
   *
   * The text counts also where the connection broke behind it: nothing was missing. `observation` is undefined where
   * the model was ended; `model` is who said it.
   */
  async output(observation: ModelOutput | ModelError | undefined, model: string): Promise<ModelOutput | ModelError> {
    await this.#working;
    if (this.#end === undefined) await this.#close();
    if (observation && (this.#end === undefined || (!this.#goesOn && observation.type === "model_output"))) {
      return observation;
    }
    const content = wellFormed(this.#said.slice(0, this.#end));
    return { type: "model_output", content, finish_reason: "stop", model };
  }

  get #goesOn(): boolean {
    return this.#end !== undefined && this.#said.length > this.#end;
  }

  /** Shows what was held back and is text after all. */
  async #close(): Promise<void> {
    const rest = this.#said.slice(this.#taken);
    if (rest !== "") await this.#feed(rest);
    if (this.#stream !== undefined && this.#end === undefined) await this.#ask(`{"stream":${this.#stream}}`);
  }

  async #drain(): Promise<void> {
    await undefined; // so that what comes in one turn of the event loop goes over in one piece
    for (let chunk = this.#take(); chunk !== ""; chunk = this.#take()) await this.#feed(chunk);
    this.#working = undefined;
  }

  /** Takes what waits, but for half of a character: text crosses as UTF-8, which has no halves. */
  #take(): string {
    if (this.#end !== undefined) return "";
    const waiting = this.#said.slice(this.#taken);
    const chunk = /[\ud800-\udbff]$/.test(waiting) ? waiting.slice(0, -1) : waiting;
    this.#taken += chunk.length;
    return chunk;
  }

  async #feed(chunk: string): Promise<void> {
    if (this.#stream === undefined) await this.#ask(`{"state":${this.state}}`);
    await this.#ask(`{"stream":${this.#stream},"chunk":${JSON.stringify(chunk)}}`);
  }

  /** Asks the filter; a core that many runs share may have let go of the definition in between. */
  async #ask(input: string): Promise<void> {
    const output = await this.core.stream_model_output(input);
    if (!output.startsWith(UNKNOWN_AGENT)) return this.#takeIn(output);
    // Nothing is waited for between the two: other runs would take its place again.
    const loaded = this.core.load_agent(this.definition);
    const again = this.core.stream_model_output(input);
    accepted(await loaded);
    this.#takeIn(await again);
  }

  #takeIn(output: string): void {
    const { stream, events } = JSON.parse(accepted(output)) as StreamOutput;
    this.#stream = JSON.stringify(stream);
    for (const event of events ?? []) {
      if (event.type === "stop") return this.#stop(event.at);
      if (event.type === "text") this.reader.onText?.(event.text);
      if (event.type === "call") this.reader.onCall?.(event.tool, event.params);
      if (event.type === "retract") this.reader.onRetract?.();
    }
  }

  /** What else came with this chunk stands behind the end. */
  #stop(at: number): void {
    this.#end = unitsOf(this.#said, at);
    if (this.#goesOn) this.#goOn(undefined);
  }
}

/** Gives how many UTF-16 units this many code points at the beginning of a text take. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (let left = codePoints; left > 0; left--) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return units;
}
