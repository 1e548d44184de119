/**
 * The loop: carry out the core's decisions until a run ends. It decides nothing itself.
 *
 * A run that is taken up here may have been stopped while its calls ran: the core is told, and says which of them run
 * again and about which a person is asked. After a stop the results that came are recorded, the other calls as
 * interrupted, and only then the run is cancelled.
 *
 * The log of a step is appended before its decision is carried out. The state stays text, and other values
 * are read and written with all digits of their numbers, as on every other host.
 */
import type { AnyCore } from "../core/core.js";
import { pause } from "../deadline.js";
import { accepted, PurestepError } from "../errors.js";
import { exactNumber, parseExactly, parseVerbatim, writeExactly } from "../exact_numbers.js";
import type {
  AgentDefinition,
  Approval,
  CallModel,
  Decision,
  Done,
  Failed,
  InvokeSkill,
  InvokeTool,
  Message,
  ModelProfile,
  Observation,
  ToolCall,
  UserMessage,
} from "../generated/wire.js";
import { type CarryLevel, completed, profileOf } from "./carry.js";
import { OutputGate, UNKNOWN_AGENT } from "./output_gate.js";
import type { AskedCall, DueCall, ModelRequest, Ports, OutputWatcher, StepTaken, Tool } from "./ports.js";
import { runCalls } from "./run_calls.js";
import { readPart, runTool } from "./run_tool.js";

/** How a run ended. */
export type RunEnd = Done | Failed;

/** The state and transcript of a run: enough to continue it, here or on another host. */
export interface Checkpoint {
  readonly state: string;
  readonly messages: readonly Message[];
  /** The run's log so far, where the definition has `read_output`: calls that read on in outputs are answered from it. */
  readonly log?: string;
}

export interface RunOptions {
  /** The host's id of the run, part of every idempotency key; default a random one. */
  run_id?: string;
  /** Continues from this checkpoint instead of starting a run. */
  from?: Checkpoint;
  /** Whether calls that the checkpoint's decision names may have been begun; false only where that is certain. Default true. */
  handed_out?: boolean;
  /** How much the core does for the model, for a definition that names no level; default as the definition says, `off`. */
  carry?: CarryLevel;
  /** Whether tools may, must or must not be used, for every message for which `ask` does not say it; default as the definition says. */
  tool_choice?: ToolChoice | undefined;
  /** What a probe found of the model, for a definition that does not say it; `carry` and `windowTokens` stand before it. */
  profile?: Omit<ModelProfile, "name">;
}

/** What holds for one message. */
export interface AskOptions {
  /** Whether tools may, must or must not be used, instead of what the definition says. */
  tool_choice?: ToolChoice | undefined;
}

/** `auto`, `required` (a tool before the answer), `none`, or the tool to call first. */
export type ToolChoice = NonNullable<UserMessage["tool_choice"]>;

const RESUMED: Observation = { type: "resumed" };

/** One run over a set of adapters. */
export class Agent {
  #state: string | undefined;
  #messages: Message[];
  #log: string[] | undefined;
  #ending = new AbortController();
  #busy = false;
  #isKnown = false;
  /** Whether the calls of the current decision may have been begun, here or on another host. */
  #isHandedOut: boolean;
  /** The definition as the run has it, completed before the first step. */
  #source: string;
  #profile: ModelProfile | undefined;
  readonly #isBare: boolean;
  readonly #runId: string;
  readonly #toolChoice: ToolChoice | undefined;
  readonly #tools: ReadonlyMap<string, Tool>;

  /**
   * Uses the tools of the definition if it names any, else those of the ports.
   *
   * A definition given as text is passed as it is, with every digit of its numbers, and must name its tools itself.
   * null is the bare form, which has no tools.
   */
  constructor(
    readonly core: AnyCore,
    readonly ports: Ports,
    definition: AgentDefinition | string | null = {},
    options: RunOptions = {},
  ) {
    const tools = ports.tools ?? [];
    this.#tools = new Map(tools.map((tool) => [tool.spec.name, tool]));
    const specs = tools.map((tool) => tool.spec);
    this.#source =
      typeof definition === "string" ? definition : writeExactly({ ...definition, tools: definition?.tools ?? specs });
    this.#isBare = definition === null;
    this.#profile = this.#isBare ? undefined : profileOf(ports.model, options.carry, options.profile);
    this.#runId = options.run_id ?? crypto.randomUUID();
    this.#toolChoice = options.tool_choice;
    this.#state = options.from?.state;
    this.#isHandedOut = options.handed_out ?? true;
    this.#messages = [...(options.from?.messages ?? [])];
    if (readsOn(this.#source)) this.#log = [options.from?.log ?? ""];
  }

  /** The run's current checkpoint; undefined before the first message. */
  get checkpoint(): Checkpoint | undefined {
    if (this.#state === undefined) return undefined;
    const log = this.#log && { log: this.#log.join("") };
    return { state: this.#state, messages: [...this.#messages], ...log };
  }

  /** Sends a user message and runs until `done` or `failed`; gives that decision. */
  async ask(query: string, { tool_choice = this.#toolChoice }: AskOptions = {}): Promise<RunEnd> {
    return this.#exclusively(() =>
      this.#step({ type: "user_message", content: query, ...(tool_choice && { tool_choice }) }),
    );
  }

  /**
   * Continues the run with its current decision, which the core gives again without changing the state.
   *
   * If calls were handed out before, they may have run: the core is told, and may have a person asked about them.
   */
  async continueRun(): Promise<RunEnd> {
    if (this.#state === undefined)
      throw new PurestepError("invalid_input", "expected a run that has started; call ask first");
    return this.#exclusively(async () => {
      const step = await this.#read(`"state":${this.#state}`);
      return this.#takenUp(step);
    });
  }

  /**
   * Resumes a run from its log and runs until `done` or `failed`; gives that decision.
   *
   * Derived lines that a crash lost are appended first. Calls that were handed out may have run, as in `continueRun`. The caller removes an incomplete last line; `torn_bytes` of
   * `replay_log` is its length.
   */
  async resume(log: string): Promise<RunEnd> {
    return this.#exclusively(async () => {
      const [state, messages, lost] = accepted(await this.core.replay_log_lines(log)).split("\n") as [
        string,
        string,
        string,
      ];
      // Throws for the run of another definition, before anything is written or changed.
      const step = await this.#read(`"state":${state}`, state);
      if (lost !== '""') await this.ports.log?.append(JSON.parse(lost), headOf(state));
      this.#state = state;
      this.#messages = parseVerbatim(messages) as Message[];
      if (this.#log) this.#log = [log, JSON.parse(lost) as string];
      this.#isHandedOut = true;
      return this.#takenUp(step);
    });
  }

  /**
   * Stops the run: aborts the current work and sends the core a `cancel`.
   *
   * Tools get two seconds to come back; what came is recorded first, and every other call as interrupted.
   */
  cancel(reason = "cancelled by the user"): void {
    this.#ending.abort(reason);
  }

  /** Runs from the first step until the end; throws if the run is busy, since two loops would use outdated states. */
  async #exclusively(first: () => Promise<StepTaken>): Promise<RunEnd> {
    if (this.#busy) throw new PurestepError("busy", "expected one run at a time; wait for this one, or cancel it");
    this.#busy = true;
    this.#ending = new AbortController();
    try {
      let step = await first();
      while (!hasEnded(step.decision)) {
        for (const observation of await this.#observe(step.decision, step.decision_json, this.#ending.signal)) {
          if (!hasEnded(step.decision)) step = await this.#step(observation);
        }
      }
      return step.decision;
    } finally {
      this.#busy = false;
    }
  }

  /** Shows where a run stands that is taken up, and tells the core if its calls may have run, where it takes that. */
  async #takenUp(step: StepTaken): Promise<StepTaken> {
    this.ports.watch?.onStep?.(step);
    if (!this.#isHandedOut) return step;
    const takes = JSON.parse(accepted(await this.core.accepted_observations(step.state))) as string[];
    return takes.includes(RESUMED.type) ? this.#step(RESUMED) : step;
  }

  async #step(observation: Observation): Promise<StepTaken> {
    const at = (this.ports.clock ?? Date.now)();
    const start = this.#state === undefined ? `"run_id":${JSON.stringify(this.#runId)}` : `"state":${this.#state}`;
    const observed = writeExactly({ ...observation, at });
    const step = await this.#read(`${start},"observation":${observed}`);
    await this.ports.log?.append(step.log, headOf(step.state));
    this.#state = step.state;
    this.#isHandedOut = false;
    this.#messages.push(...step.messages);
    this.#log?.push(step.log);
    this.ports.watch?.onStep?.(step);
    return step;
  }

  /**
   * Makes a step of these members.
   *
   * The definition is sent with the first step, which checks the state against it, and again if the core has evicted it.
   */
  async #read(members: string, state = this.#state): Promise<StepTaken> {
    let output = this.#isKnown ? await this.core.run_agent_step_lines(`{${members}}`) : UNKNOWN_AGENT;
    if (output.startsWith(UNKNOWN_AGENT)) {
      const agent = this.#isBare ? "" : `"agent":${await this.#completed(state)},`;
      output = await this.core.run_agent_step_lines(`{${agent}${members}}`);
    }
    this.#isKnown ||= !output.startsWith('{"error":');
    const [stepped, messages, log, decision] = accepted(output).split("\n") as [string, string, string, string];
    return {
      state: stepped,
      messages: parseVerbatim(messages) as Message[],
      log: JSON.parse(log),
      decision: decisionOf(decision),
      decision_json: decision,
    };
  }

  /** Gives the definition, completed; for a run that began with the definition as it is, it stays so. */
  async #completed(state: string | undefined): Promise<string> {
    if (this.#profile && !(await this.#isOfSource(state)))
      this.#source = await completed(this.core, this.#source, { profile: this.#profile });
    this.#profile = undefined;
    return this.#source;
  }

  async #isOfSource(state: string | undefined): Promise<boolean> {
    if (state === undefined) return false;
    return accepted(await this.core.load_agent(this.#source)) === digestIn(state);
  }

  /** Carries out a decision; gives what came of it, in order, and last `cancel` once the run is stopped. */
  async #observe(decision: Exclude<Decision, RunEnd>, text: string, signal: AbortSignal): Promise<Observation[]> {
    if (decision.type === "invoke_tool" || decision.type === "invoke_skill")
      return this.#runTools(withTexts(decision.calls, text), signal);
    if (signal.aborted) return [cancelledBy(signal)];
    let stop!: () => void;
    const stopped = new Promise<Observation>((resolve) => (stop = () => resolve(cancelledBy(signal))));
    signal.addEventListener("abort", stop);
    try {
      return [await Promise.race([stopped, this.#carryOut(decision, text, signal)])];
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #carryOut(
    decision: Exclude<Decision, RunEnd | InvokeTool | InvokeSkill>,
    text: string,
    signal: AbortSignal,
  ): Promise<Observation> {
    switch (decision.type) {
      case "call_model":
        return this.#callModel(decision, signal);
      case "request_approval":
        return {
          type: "approvals",
          approvals: await (this.ports.approve ?? refuse)(withTexts(decision.calls, text), signal),
        };
    }
  }

  async #callModel(decision: CallModel, signal: AbortSignal): Promise<Observation> {
    const { model, sleep = pause } = this.ports;
    if (decision.wait_ms) await sleep(decision.wait_ms, signal);
    if (signal.aborted) return cancelledBy(signal);
    const gate = new OutputGate({
      core: this.core,
      state: this.#state!,
      definition: this.#source,
      model: model.name,
      watcher: watcherUntil(signal, this.ports.watch),
    });
    const ending = new AbortController();
    const stop = () => ending.abort();
    signal.addEventListener("abort", stop);
    try {
      const said = model.complete(modelRequest(decision, this.#messages), gate, ending.signal);
      const end = await Promise.race([said, gate.settled]);
      if (!end) stop();
      return await gate.close(end);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #runTools(calls: readonly DueCall[], signal: AbortSignal): Promise<Observation[]> {
    this.#isHandedOut = true;
    const results = await runCalls(
      calls,
      (call) =>
        call.part
          ? readPart(this.core, (this.#log ?? []).join(""), call.part)
          : runTool(this.core, this.#tools.get(call.tool), call, signal),
      signal,
      (call, outcome) => this.ports.watch?.onResult?.(call, outcome),
    );
    return [{ type: "tool_results", results }, ...(signal.aborted ? [cancelledBy(signal)] : [])];
  }
}

function hasEnded(decision: Decision): decision is RunEnd {
  return decision.type === "done" || decision.type === "failed";
}

/** Tells whether a definition allows that outputs are read on. */
function readsOn(source: string): boolean {
  try {
    return (JSON.parse(source) as AgentDefinition | null)?.read_output === true;
  } catch {
    return false; // the core says what is wrong with it
  }
}

function cancelledBy(signal: AbortSignal): Observation {
  return { type: "cancel", reason: String(signal.reason) };
}

/** Gives a watcher that receives nothing after the run is stopped, since a model may not stop at once. */
function watcherUntil(signal: AbortSignal, watch: OutputWatcher | undefined): OutputWatcher {
  return {
    onText: (text) => void (signal.aborted || watch?.onText?.(text)),
    onCall: (tool, params) => void (signal.aborted || watch?.onCall?.(tool, params)),
    onProgress: (chars) => void (signal.aborted || watch?.onProgress?.(chars)),
    onRetract: () => void (signal.aborted || watch?.onRetract?.()),
  };
}

/** Gives the digest of the definition that a state is of. */
function digestIn(state: string): unknown {
  try {
    return (JSON.parse(state) as { agent?: unknown }).agent;
  } catch {
    return undefined; // the core says what is wrong with it
  }
}

function headOf(state: string): string {
  return (JSON.parse(state) as { head: string }).head;
}

/** Gives a decision; the large numbers of a request to a model stay text, since a BigInt stops the JSON.stringify of adapters. */
function decisionOf(text: string): Decision {
  const decision = parseExactly(text) as Decision;
  return decision.type === "call_model" ? (parseExactly(text, exactNumber) as Decision) : decision;
}

/** Gives the calls of a decision, each with its arguments as text too. */
function withTexts<Call extends ToolCall>(
  calls: readonly Call[],
  decision: string,
): (Call & { params_json: string })[] {
  const verbatim = (parseVerbatim(decision) as { calls: Call[] }).calls;
  return calls.map((call, index) => ({ ...call, params_json: writeExactly(verbatim[index]!.params) }));
}

async function refuse(calls: AskedCall[]): Promise<Approval[]> {
  const reason = "nobody here can approve it";
  return calls.map(({ call_id, key }) => ({ call_id, key, approved: false, reason }));
}

/** Gives the request of a decision: its messages, or those of the transcript that it names, and its constraints. */
export function modelRequest(decision: CallModel, transcript: readonly Message[]): ModelRequest {
  const { prompt, type: _type, reason: _reason, skill: _skill, cause: _cause, wait_ms: _wait_ms, ...own } = decision;
  const { messages: first = [], ...rest } = own;
  const messages = [...first, ...prompt.flatMap((entry) => named(entry, transcript))];
  return { messages: messages.map(sentMessage), ...rest } as ModelRequest;
}

/** Gives a message as a server gets it: what the core has kept for its provider stands among its members. */
function sentMessage({ extra, ...own }: Message): Message {
  return { ...own, ...(extra as object | undefined) };
}

/** Gives the messages of one entry of a prompt: a range, or one with parts of its content replaced. */
function named(entry: CallModel["prompt"][number], messages: readonly Message[]): Message[] {
  if ("index" in entry) {
    const message = messages[entry.index]!;
    // Cuts count code points, not UTF-16 units.
    const characters = [...(message.content ?? "")];
    const pieces: string[] = [];
    let at = 0;
    for (const [begin, end, text] of entry.cuts) {
      pieces.push(characters.slice(at, begin).join(""), text);
      at = end;
    }
    return [{ ...message, content: pieces.join("") + characters.slice(at).join("") }];
  }
  return messages.slice(...entry);
}
