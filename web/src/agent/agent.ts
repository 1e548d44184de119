/**
 * An agent in JavaScript: one run over a set of adapters, asked and awaited, streamed, or shown from its snapshot.
 *
 * `run_loop.ts` carries out what the core decides; here is what a program holds in its hands.
 */
import type { AnyCore } from "../core/core.js";
import { PurestepError } from "../errors.js";
import type { AgentDefinition, Approval, DataText, InvokeTool, ModelProfile } from "../generated/wire.js";
import { actsOf } from "./acts.js";
import { type AttachmentSource, MemoryAttachments } from "./attachments.js";
import { type CarryLevel, profileOf } from "./carry.js";
import { askedIn } from "./decision_text.js";
import { dueOf } from "./due.js";
import { EventWatcher, type OnEvent, type RunEnded } from "./events.js";
import { type LateCall, lateCalls, type LateResult } from "./late.js";
import type { Ports, StepTaken, Watcher } from "./ports.js";
import { type Checkpoint, type RunEnd, RunLoop, type RunStop, type ToolChoice } from "./run_loop.js";
import { RunStream } from "./run_stream.js";
import { type AgentSnapshot, SnapshotStore } from "./snapshot.js";
import { StepReader } from "./step_reader.js";
import { checkAgent } from "./checked_agent.js";
import { checkNames, namesOf } from "../member_names.js";
import { Adapters, type AgentTool, agentTool, type AgentToolOptions, sourceOf } from "./sub_agents.js";
import { type RunUsage, usageOf } from "./usage.js";
import { Watchers } from "./watchers.js";

export type { Checkpoint, RunEnd, ToolChoice } from "./run_loop.js";

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

const RUN_OPTIONS = namesOf<Required<RunOptions>>({
  run_id: true,
  from: true,
  handed_out: true,
  carry: true,
  tool_choice: true,
  profile: true,
});

/** What holds for one message. */
export interface AskOptions {
  /** Whether tools may, must or must not be used, instead of what the definition says. */
  tool_choice?: ToolChoice | undefined;
  /** Images and files that are sent with the message. */
  attachments?: readonly AttachmentSource[];
  /** Texts that came along and are not the user's: the model reads them framed, and no order is read from them. */
  data?: readonly DataText[];
  /** Whether the policy `history` never leaves the message and its answer out of a prompt. Default false. */
  pinned?: boolean;
}

/** What a stream begins with, besides a message. */
export interface StreamOptions extends AskOptions {
  /** A person's answers about calls for which the run waits. */
  approvals?: readonly Approval[];
  /** Results of calls that went on elsewhere, as `lateResult` gives them. */
  results?: readonly LateResult[];
  /** The log of the run that goes on, on any host; default is the run of this agent. */
  log?: string;
  /** Cancels this run when it is aborted; the result says so. */
  signal?: AbortSignal | undefined;
}

const ASK_OPTIONS = { tool_choice: true, attachments: true, data: true, pinned: true } as const;
const ASK_NAMES = namesOf<Required<AskOptions>>(ASK_OPTIONS);
const STREAM_NAMES = namesOf<Required<StreamOptions>>({
  ...ASK_OPTIONS,
  approvals: true,
  results: true,
  log: true,
  signal: true,
});

/** One run over a set of adapters. */
export class Agent {
  readonly #run: RunLoop;
  readonly #watchers: Watchers;
  readonly #shown = new SnapshotStore();
  readonly #toolChoice: ToolChoice | undefined;
  readonly #adapters: Adapters;
  /** The definition as text, as it was given; undefined for the bare form. */
  readonly #source: string | undefined;
  #busy = false;

  /**
   * Uses the tools of the definition if it names any, else those of the ports; and so the agents among these.
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
    checkAgent(core, ports);
    checkNames(options, RUN_OPTIONS, "the options of an agent");
    this.#adapters = new Adapters(ports, profileOf(ports.model, options.carry, options.profile));
    this.#source = sourceOf(definition, this.#adapters);
    this.#watchers = new Watchers(ports.watch);
    this.#watchers.add(new EventWatcher((event) => this.#shown.take(event)));
    this.#watchers.add({
      onStep: ({ state }) => this.#shown.used(usageOf(state)),
      onAnswered: (approvals) => this.#shown.answered(approvals),
    });
    this.#toolChoice = options.tool_choice;
    this.#run = new RunLoop({
      core,
      ports,
      adapters: this.#adapters,
      steps: new StepReader(core, this.#source, this.#adapters),
      watchers: this.#watchers,
      attachments: ports.attachments ?? new MemoryAttachments(),
      runId: options.run_id ?? crypto.randomUUID(),
      from: options.from,
      handedOut: options.handed_out ?? true,
    });
  }

  /** The run's current checkpoint; undefined before the first message. */
  get checkpoint(): Checkpoint | undefined {
    return this.#run.checkpoint;
  }

  /** The calls that go on elsewhere and have no result yet; give it with `lateResult`, in `stream({ results })`. */
  get late(): readonly LateCall[] {
    const { checkpoint } = this;
    return checkpoint ? lateCalls(checkpoint.state) : [];
  }

  /** What the current exchange has used. */
  get usage(): RunUsage {
    return this.#shown.read().usage;
  }

  /** Calls `listener` after each change of the snapshot; gives what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => this.#shown.subscribe(listener);

  /** Gives what there is to show of the exchanges since this agent was made; the same object until it changes. */
  readonly getSnapshot = (): AgentSnapshot => this.#shown.read();

  /**
   * Gives this agent as a tool for the `tools` of another, which calls it with a question.
   *
   * It lends its definition, model and tools, and stays as it is: the run below is part of the caller's, which has the
   * approvals, the log and the clock. Throws PurestepError with the code `invalid_agent` where there is no name, and for
   * the bare form.
   */
  asTool(options: AgentToolOptions = {}): AgentTool {
    return agentTool(this.#source, this.#toolChoice, options, this.#adapters);
  }

  /** Gives this agent as one of the `tools` of another, by whose call it takes the conversation over; else as `asTool`. */
  asHandOff(options: AgentToolOptions = {}): AgentTool {
    return { ...this.asTool(options), handOff: true };
  }

  /** Adds a watcher to that of the ports; gives what removes it. */
  watch(watcher: Watcher): () => void {
    return this.#watchers.add(watcher);
  }

  /** Sends a user message and runs until `done` or `failed`; gives that decision. */
  async ask(query: string, options: AskOptions = {}): Promise<RunEnd> {
    checkNames(options, ASK_NAMES, "the options of ask");
    return this.#untilEnd(() => this.#said(query, options), query);
  }

  /**
   * Sends a user message, or goes on, and yields what happens; the last event is `done`.
   *
   * Goes on with `approvals`, with the run of a `log`, or with neither, as `continueRun` does. Without the port
   * `approve` it stops with the status `waiting` where a person has to be asked. Leaving the loop early cancels the run.
   */
  stream(query: string, options?: StreamOptions): RunStream;
  stream(options?: StreamOptions): RunStream;
  stream(query: string | StreamOptions = {}, options: StreamOptions = {}): RunStream {
    if (typeof query === "string") return this.#streamed(query, options);
    return this.#streamed(undefined, query);
  }

  /**
   * Continues the run with its current decision, which the core gives again without changing the state.
   *
   * If calls were handed out before, they may have run: the core is told, and may have a person asked about them.
   */
  async continueRun(): Promise<RunEnd> {
    return this.#untilEnd(() => this.#run.continued());
  }

  /**
   * Resumes a run from its log and runs until `done` or `failed`; gives that decision.
   *
   * Derived lines that a crash lost are appended first. Calls that were handed out may have run, as in `continueRun`.
   * The caller removes an incomplete last line; `torn_bytes` of `replay_log` is its length.
   */
  async resume(log: string): Promise<RunEnd> {
    return this.#untilEnd(() => this.#run.resumed(log));
  }

  /**
   * Stops the run: aborts the current work and sends the core a `cancel`.
   *
   * Tools get two seconds to come back; what came is recorded first, and every other call as interrupted.
   */
  cancel(reason = "cancelled by the user"): void {
    this.#run.cancel(reason);
  }

  #streamed(query: string | undefined, options: StreamOptions): RunStream {
    checkNames(options, STREAM_NAMES, "the options of stream");
    let isRunning = false;
    const { signal } = options;
    const leave = (reason: string): void => void (isRunning && this.cancel(reason));
    const onAbort = (): void => leave("its signal was aborted");
    const begin = async (tell: OnEvent): Promise<RunEnded> => {
      const remove = this.#watchers.add(new EventWatcher((event) => void (isRunning && tell(event))));
      const first = () => {
        isRunning = true; // only now this stream's run is the one that is heard, and that leaving would cancel
        if (signal?.aborted) onAbort();
        return this.#begun(query, options);
      };
      signal?.addEventListener("abort", onAbort);
      try {
        return endOf(await this.#exclusively(first, { query, waits: !this.ports.approve }));
      } finally {
        isRunning = false;
        signal?.removeEventListener("abort", onAbort);
        remove();
      }
    };
    return new RunStream(begin, () => leave("the reader of the stream has left"));
  }

  /** Makes the steps that begin an exchange: of a run that goes on, and then of the message. */
  async #begun(query: string | undefined, { approvals, results, log, ...options }: StreamOptions): Promise<StepTaken> {
    let step = log === undefined ? undefined : await this.#run.resumed(log);
    if (approvals?.length) step = await this.#run.answered(approvals);
    if (results?.length) step = await this.#run.given(results);
    if (query !== undefined) return this.#said(query, options);
    return step ?? this.#run.continued();
  }

  #said(
    query: string,
    { tool_choice = this.#toolChoice, attachments = [], data = [], pinned = false }: AskOptions,
  ): Promise<StepTaken> {
    return this.#run.said(query, tool_choice, attachments, data, pinned);
  }

  async #untilEnd(first: () => Promise<StepTaken>, query?: string): Promise<RunEnd> {
    const stop = (await this.#exclusively(first, { query, waits: false })) as RunEnd | InvokeTool;
    if (stop.type !== "invoke_tool") return stop;
    throw new PurestepError(
      "waiting",
      `the run waits for the result of ${stop.tool}, which goes on elsewhere; give it with stream({ results })`,
    );
  }

  /**
   * Runs from the first step until the end; throws if the run is busy, since two loops would use outdated states.
   *
   * waits: stops where a person has to be asked.
   */
  async #exclusively(
    first: () => Promise<StepTaken>,
    { query, waits }: { query: string | undefined; waits: boolean },
  ): Promise<RunStop> {
    if (this.#busy) throw new PurestepError("busy", "expected one run at a time; wait for this one, or cancel it");
    this.#busy = true;
    this.#shown.begin(query);
    try {
      const step = await this.#run.carriedOut(first, waits);
      const { decision } = step;
      const asked = dueOf(step).filter((each) => each.decision.type === "request_approval");
      if (asked.length > 0) this.#watchers.onAsked(asked.flatMap(askedIn));
      this.#shown.take(endOf(decision as RunStop));
      return decision as RunStop;
    } catch (error) {
      this.#shown.broken(error);
      throw error;
    } finally {
      this.#busy = false;
    }
  }
}

/** Gives the last event of an exchange. */
function endOf(stop: RunStop): RunEnded {
  switch (stop.type) {
    case "done": {
      const { answer, data, citations, question } = stop;
      const found = {
        ...(data !== undefined && { data }),
        ...(citations && { citations }),
        ...(question && { question }),
      };
      return { type: "done", status: "done", answer, ...found, ...actsOf(stop) };
    }
    case "failed":
      return { type: "done", status: "failed", code: stop.code, message: stop.message, ...actsOf(stop) };
    case "request_approval":
    case "invoke_tool":
      return { type: "done", status: "waiting" };
  }
}
