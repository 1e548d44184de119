/**
 * The texts that a definition hides: the core finds them before a step, and names the tools that are given them.
 *
 * They are kept in this object and nowhere else, for as long as the run is in this program.
 */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { parseExactly, parseVerbatim, writeExactly } from "../exact_numbers.js";
import { namesPolicy } from "./named_policies.js";
import type { DueCall, ToolOutcome } from "./ports.js";
import { INTERRUPTED } from "./run_tool.js";

const SALT_BYTES = 16;

/** What the core says of a call: its arguments, or its result where it cannot be run. */
interface Revealed {
  readonly params: Record<string, unknown>;
  readonly result?: ToolOutcome;
}

/** The hidden texts of one run. */
export class HiddenTexts {
  readonly #salt = Array.from(crypto.getRandomValues(new Uint8Array(SALT_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  #texts = "{}";

  /** definition: gives that of the run, as text; undefined for the bare form. */
  constructor(
    readonly core: AnyCore,
    readonly definition: () => string | undefined,
  ) {}

  /** Gives the text of an observation as it may be logged; state: the run's as text, undefined before the first step. */
  async observed(observation: string, state: string | undefined): Promise<string> {
    const agent = this.#agent();
    if (agent === undefined) return observation;
    const input = `"observation":${observation},"salt":"${this.#salt}","hidden":${this.#texts}`;
    const output = await this.core.redact_observation(`{${members(agent, state)},${input}}`);
    const found = parseVerbatim(accepted(output)) as { observation: unknown; hidden: unknown };
    this.#texts = JSON.stringify(found.hidden);
    return writeExactly(found.observation);
  }

  /** Gives the outcome of a call as it may be shown and logged. */
  async outcome(call: DueCall, outcome: ToolOutcome, state: string): Promise<ToolOutcome> {
    if (this.#agent() === undefined) return outcome;
    const results = [{ call_id: call.call_id, ...outcome }];
    const text = await this.observed(writeExactly({ type: "tool_results", results }), state);
    const [hidden] = (parseVerbatim(text) as { results: ({ call_id: string } & ToolOutcome)[] }).results;
    const { call_id: _, ...members } = hidden!;
    return members;
  }

  /** Runs a call with the arguments that its tool is given; gives the core's result where a text is not known any more. */
  async run(call: DueCall, state: string, run: (call: DueCall) => Promise<ToolOutcome>): Promise<ToolOutcome> {
    const agent = this.#agent();
    if (agent === undefined) return run(call);
    const input = `"tool":${JSON.stringify(call.tool)},"params":${call.params_json},"hidden":${this.#texts}`;
    const output = accepted(await this.core.reveal_params(`{${members(agent, state)},${input}}`));
    const { params, result } = parseExactly(output) as Revealed;
    if (result) return result;
    const { params: verbatim } = parseVerbatim(output) as Revealed;
    const outcome = await run({ ...call, params, params_json: writeExactly(verbatim) });
    return outcome === INTERRUPTED || outcome.pending ? outcome : this.outcome(call, outcome, state);
  }

  /** Gives the definition where it hides anything. */
  #agent(): string | undefined {
    const source = this.definition();
    // Also where who may take the conversation over hides some: the core knows who has it.
    const mayBeHanded = source?.includes('"hand_off"') && source.includes('"redaction"');
    return mayBeHanded || namesPolicy(source, "redaction") ? source : undefined;
  }
}

function members(agent: string, state: string | undefined): string {
  return `"agent":${agent}${state === undefined ? "" : `,"state":${state}`}`;
}
