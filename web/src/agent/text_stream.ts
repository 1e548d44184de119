/** Shows a model's text while it comes: what may be shown is the core's to say, chunk by chunk. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import type { StreamOutput } from "../generated/wire.js";

/** How an output begins that names a definition which the core does not hold. */
export const UNKNOWN_AGENT = '{"error":{"code":"unknown_agent"';

/** One output being filtered; chunks that come while the core is busy with one are handed over together. */
export class TextStream {
  #waiting = "";
  #working: Promise<void> | undefined;
  #stream: string | undefined;

  constructor(
    readonly core: AnyCore,
    readonly state: string,
    readonly definition: string,
    readonly show: (text: string) => void,
    readonly takeBack: () => void,
  ) {}

  push(chunk: string): void {
    this.#waiting += chunk;
    if (this.#working) return;
    this.#working = this.#drain();
    this.#working.catch(() => undefined); // told by close; until then nobody waits for it
  }

  /** Shows what was held back and is text after all; settles when everything is shown. */
  async close(): Promise<void> {
    await this.#working;
    if (this.#waiting !== "") await this.#feed(this.#waiting);
    if (this.#stream !== undefined) await this.#ask(`{"stream":${this.#stream}}`);
  }

  async #drain(): Promise<void> {
    await undefined; // so that what comes in one turn of the event loop goes over in one piece
    for (let chunk = this.#take(); chunk !== ""; chunk = this.#take()) await this.#feed(chunk);
    this.#working = undefined;
  }

  /** Takes what waits, but for half of a character: text crosses as UTF-8, which has no halves. */
  #take(): string {
    const end = /[\ud800-\udbff]$/.test(this.#waiting) ? this.#waiting.length - 1 : this.#waiting.length;
    const chunk = this.#waiting.slice(0, end);
    this.#waiting = this.#waiting.slice(end);
    return chunk;
  }

  async #feed(chunk: string): Promise<void> {
    if (this.#stream === undefined) await this.#open();
    await this.#ask(`{"stream":${this.#stream},"chunk":${JSON.stringify(chunk)}}`);
  }

  /** Opens the filter; a core that many runs share may have let go of the definition in between. */
  async #open(): Promise<void> {
    const input = `{"state":${this.state}}`;
    const output = await this.core.stream_model_output(input);
    if (!output.startsWith(UNKNOWN_AGENT)) return this.#takeIn(output);
    // Nothing is waited for between the two: other runs would take its place again.
    const loaded = this.core.load_agent(this.definition);
    const opened = this.core.stream_model_output(input);
    accepted(await loaded);
    this.#takeIn(await opened);
  }

  async #ask(input: string): Promise<void> {
    this.#takeIn(await this.core.stream_model_output(input));
  }

  #takeIn(output: string): void {
    const { stream, events } = JSON.parse(accepted(output)) as StreamOutput;
    this.#stream = JSON.stringify(stream);
    for (const event of events ?? []) {
      if (event.type === "text") this.show(event.text);
      if (event.type === "retract") this.takeBack();
    }
  }
}
