/** A projection of a run's log, fed while the run goes on: the core makes the events, and their numbers keep all digits. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";

/** Each input waits for the one before: only one call may be under way at a time. */
export class LogProjection {
  #projection: string | undefined;

  constructor(
    readonly core: AnyCore,
    readonly form: "ag-ui" | "ai-sdk",
  ) {}

  /** Takes what the log has so far, and gives its events, which another stream has sent. */
  async open(log: string): Promise<unknown[]> {
    await this.#project(`{"form":"${this.form}"}`);
    return log === "" ? [] : [...(await this.lines(log)), ...(await this.close())];
  }

  /** Gives the events of further lines. */
  lines(log: string): Promise<unknown[]> {
    return this.#fed(`,"log":${JSON.stringify(log)}`);
  }

  /** Gives the events of text that the log does not have yet. */
  text(text: string): Promise<unknown[]> {
    return this.#fed(`,"stream":${JSON.stringify([{ type: "text", text }])}`);
  }

  /** Gives the events of reasoning that the log does not have yet. */
  reasoning(reasoning: string): Promise<unknown[]> {
    return this.#fed(`,"stream":${JSON.stringify([{ type: "reasoning", reasoning }])}`);
  }

  /** Gives the events of what takes that text back. */
  retract(): Promise<unknown[]> {
    return this.#fed(',"stream":[{"type":"retract"}]');
  }

  /** Gives what is missing where a stream ends. */
  close(): Promise<unknown[]> {
    return this.#fed("");
  }

  #fed(members: string): Promise<unknown[]> {
    return this.#project(`{"projection":${this.#projection}${members}}`);
  }

  async #project(input: string): Promise<unknown[]> {
    const output = parseVerbatim(accepted(await this.core.project_log(input))) as {
      projection: unknown;
      events: unknown[];
    };
    this.#projection = writeExactly(output.projection);
    return output.events;
  }
}
