/** The steps of one run: the core is called, and knows the definition, which goes along where it has to. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { parseVerbatim } from "../exact_numbers.js";
import type { Message } from "../generated/wire.js";
import { completedAll } from "./agent_tree.js";
import { isOf } from "./carry.js";
import { decisionOf, readTree } from "./decision_text.js";
import { namesPolicy } from "./named_policies.js";
import { UNKNOWN_AGENT } from "./output_gate.js";
import type { StepTaken } from "./ports.js";
import type { Adapters } from "./sub_agents.js";

/** What stands for the definition of the bare form, which steps do without, where only a definition will do. */
const BARE = '{"tools":[]}';

/** Calls the core for one run. */
export class StepReader {
  /** Whether the core has this definition, as far as is known here. */
  #isKnown = false;
  readonly #isBare: boolean;
  #source: string;
  #adapters: Adapters | undefined;

  /** source: the definition as text; undefined for the bare form. adapters: those it is completed for before the first step. */
  constructor(
    readonly core: AnyCore,
    source: string | undefined,
    adapters: Adapters,
  ) {
    this.#isBare = source === undefined;
    this.#source = source ?? BARE;
    this.#adapters = this.#isBare ? undefined : adapters;
  }

  /** The definition as the run has it, completed before the first step. */
  get definition(): string {
    return this.#source;
  }

  /** Whether the definition may have agents of its own. */
  get hasAgents(): boolean {
    return this.#source.includes('"agent'); // also where one stands among the tools
  }

  /** Whether the definition allows that outputs are read on, or one of its agents may. */
  get readsOn(): boolean {
    return this.hasAgents ? this.#source.includes('"read_output"') : namesPolicy(this.#source, "read_output");
  }

  /**
   * Makes a step of these members. state: the run's, if it has begun.
   *
   * The definition is sent with the first step, which checks the state against it, and again if the core has evicted it.
   */
  async read(members: string, state: string | undefined): Promise<StepTaken> {
    let output = this.#isKnown ? await this.core.run_agent_step_lines(`{${members}}`) : UNKNOWN_AGENT;
    if (output.startsWith(UNKNOWN_AGENT)) {
      const agent = this.#isBare ? "" : `"agent":${await this.#completed(state)},`;
      output = await this.core.run_agent_step_lines(`{${agent}${members}}`);
    }
    this.#isKnown ||= !output.startsWith('{"error":');
    const lines = accepted(output).split("\n") as [string, string, string, string, string?];
    const [stepped, messages, log, decision, tree] = lines;
    return {
      state: stepped,
      messages: parseVerbatim(messages) as Message[],
      log: JSON.parse(log),
      decision: decisionOf(decision),
      decision_json: decision,
      ...readTree(tree),
    };
  }

  /** Gives the definition, completed; for a run that began with the definition as it is, it stays so. */
  async #completed(state: string | undefined): Promise<string> {
    const adapters = this.#adapters;
    if (adapters?.isKnown && !(state !== undefined && (await isOf(this.core, this.#source, state))))
      this.#source = await completedAll(this.core, this.#source, adapters);
    this.#adapters = undefined;
    return this.#source;
  }
}
