/**
 * The loop of one run: carries out the core's decisions. It decides nothing itself.
 *
 * A run that is taken up here may have been stopped while its calls ran: the core is told, and says which of them run
 * again and about which a person is asked. After a stop the results that came are recorded, the other calls as
 * interrupted, and only then the run is cancelled.
 *
 * The log of a step is appended before its decision is carried out. The state stays text, and other values
 * are read and written with all digits of their numbers, as on every other host.
 */
import type { AnyCore } from "../core/core.js";
import { accepted, PurestepError } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type {
  Approval,
  DataText,
  Done,
  Failed,
  InvokeTool,
  Message,
  Observation,
  RequestApproval,
  Resumed,
  UserMessage,
} from "../generated/wire.js";
import { refuseAll } from "./approving.js";
import { agentsDownTo, callsBelow, definitionAt, haveTranscripts, logBelow, stateBelow } from "./agent_tree.js";
import { askedIn, placeOf, readTree, withTexts } from "./decision_text.js";
import { asks, dueOf, hasEnded, isHere, openOf, runs } from "./due.js";
import { lateCalls, type LateResult, observationsOf } from "./late.js";
import { callModel, type ModelCallParts } from "./model_call.js";
import { HiddenTexts } from "./hidden_texts.js";
import type { AgentPlace, AskedCall, DueCall, OpenDecision, Ports, StepTaken, ToolOutcome } from "./ports.js";
import { runCalls } from "./run_calls.js";
import { readPart, runTool } from "./run_tool.js";
import { type AttachmentSource, type AttachmentStore, contentOf } from "./attachments.js";
import type { StepReader } from "./step_reader.js";
import type { Adapters } from "./sub_agents.js";
import type { Watchers } from "./watchers.js";

/** How a run ended. */
export type RunEnd = Done | (Failed & { readonly answer?: undefined });

/** Where a run stops: at its end, or where it waits for a person, or for what goes on elsewhere. */
export type RunStop = RunEnd | RequestApproval | InvokeTool;

/** The state and transcript of a run: enough to continue it, here or on another host. */
export interface Checkpoint {
  readonly state: string;
  readonly messages: readonly Message[];
  /** The transcripts of the agents that go on, by the ids of their runs. */
  readonly children?: Readonly<Record<string, readonly Message[]>>;
  /** The run's log so far, where the definition names `read_output`: calls that read on in outputs are answered from it. */
  readonly log?: string;
}

/** `auto`, `required` (a tool before the answer), `none`, or the tool to call first. */
export type ToolChoice = NonNullable<UserMessage["tool_choice"]>;

/** What a run has of its agent. */
export interface RunParts {
  readonly core: AnyCore;
  readonly ports: Ports;
  readonly adapters: Adapters;
  readonly steps: StepReader;
  readonly watchers: Watchers;
  readonly attachments: AttachmentStore;
  readonly runId: string;
  readonly from: Checkpoint | undefined;
  /** Whether calls that the checkpoint's decision names may have been begun. */
  readonly handedOut: boolean;
  /** Told of each outcome when it comes, also that a call goes on elsewhere. */
  readonly onOutcome?: (call: DueCall, outcome: ToolOutcome) => void;
}

const RESUMED: Resumed = { type: "resumed" };

/** One run. */
export class RunLoop {
  readonly #parts: RunParts;
  #state: string | undefined;
  #messages: Message[];
  /** The transcripts of the agents that were called, by the ids of their runs. */
  #children = new Map<string, Message[]>();
  #log: string[] | undefined;
  #ending = new AbortController();
  /** Whether the calls of the current decision may have been begun, here or on another host. */
  #isHandedOut: boolean;
  readonly #hidden: HiddenTexts;

  constructor(parts: RunParts) {
    const { from, steps } = (this.#parts = parts);
    this.#hidden = new HiddenTexts(parts.core, () => steps.definition);
    this.#state = from?.state;
    this.#isHandedOut = parts.handedOut;
    this.#messages = [...(from?.messages ?? [])];
    if (from) checkTranscripts(from);
    this.#keepChildren(from?.children);
    if (steps.readsOn) this.#log = [from?.log ?? ""];
  }

  get checkpoint(): Checkpoint | undefined {
    if (this.#state === undefined) return undefined;
    const state = this.#state;
    const goOn = new Set(callsBelow(state).map(({ child }) => child.run_id));
    const open = [...this.#children].filter(([runId]) => goOn.has(runId)).map(([id, said]) => [id, [...said]]);
    const children = open.length > 0 && { children: Object.fromEntries(open) as Record<string, Message[]> };
    const log = this.#log && { log: this.#log.join("") };
    return { state, messages: [...this.#messages], ...children, ...log };
  }

  /** Stops the loop that carries decisions out now. */
  cancel(reason: string): void {
    this.#ending.abort(reason);
  }

  /**
   * Takes a user message, whose images and files are kept first; `data` came along and is not the user's.
   *
   * Of a run that is taken up, the core is told before that its calls may have run.
   */
  async said(
    query: string,
    tool_choice: ToolChoice | undefined,
    attachments: readonly AttachmentSource[],
    data: readonly DataText[],
    pinned: boolean,
  ): Promise<StepTaken> {
    const content = await contentOf(query, attachments, this.#parts.attachments);
    if (this.#state !== undefined) await this.#toldOfCalls(this.#state);
    const refused = this.#parts.ports.model.refused ?? [];
    return this.#step({
      type: "user_message",
      content,
      ...(refused.length > 0 && { refused: [...refused] }),
      ...(data.length > 0 && { data: [...data] }),
      ...(tool_choice && { tool_choice }),
      ...(pinned && { pinned }),
    });
  }

  /**
   * Takes a person's answers.
   *
   * Of a run that is taken up, the core is told before that calls of other agents may have run; the answers are about
   * what was asked before that.
   */
  async answered(approvals: readonly Approval[]): Promise<StepTaken> {
    const answers: Observation = { type: "approvals", approvals: [...approvals] };
    await this.#toldBefore(answers);
    const step = await this.#step(answers);
    this.#parts.watchers.onAnswered(approvals);
    return step;
  }

  /** Takes results of calls that went on elsewhere; at least one. */
  async given(results: readonly LateResult[]): Promise<StepTaken> {
    const observations = observationsOf(results);
    await this.#toldBefore(observations[0]!);
    return this.recorded(observations);
  }

  /** Takes what came of the current decisions; at least one. */
  async recorded(observations: readonly Observation[]): Promise<StepTaken> {
    this.#begunState();
    let step!: StepTaken;
    for (const each of observations) step = await this.#step(each);
    return step;
  }

  /** Gives where the run stands; nothing is told or shown. */
  async standing(): Promise<StepTaken> {
    const state = this.#begunState();
    return this.#parts.steps.read(`"state":${state}`, state);
  }

  /** Tells the core that calls may have run, if it takes the observation where the run stands. */
  async #toldBefore(observation: Observation): Promise<void> {
    const state = this.#begunState();
    if (!this.#isHandedOut || !openOf(await this.standing()).some(({ decision }) => runs(decision))) return;
    const at = (this.#parts.ports.clock ?? Date.now)();
    await this.#parts.steps.read(`"state":${state},"observation":${writeExactly({ ...observation, at })}`, state);
    await this.#toldOfCalls(state);
  }

  /** Asks the core again where the run stands. */
  async continued(): Promise<StepTaken> {
    return this.#takenUp(await this.standing());
  }

  #begunState(): string {
    if (this.#state !== undefined) return this.#state;
    throw new PurestepError(
      "invalid_input",
      "expected a run that has started; call ask or stream with a message first",
    );
  }

  /** Takes the run of a log up; lines that a crash lost are appended first. */
  async resumed(log: string): Promise<StepTaken> {
    const lines = accepted(await this.#parts.core.replay_log_lines(log)).split("\n");
    const [state, messages, lost, , , tree] = lines as [string, string, string, string, string, string?];
    // Throws for the run of another definition, before anything is written or changed.
    const step = await this.#parts.steps.read(`"state":${state}`, state);
    if (lost !== '""') await this.#parts.ports.log?.append(JSON.parse(lost), headOf(state));
    this.#state = state;
    this.#messages = parseVerbatim(messages) as Message[];
    this.#children.clear();
    this.#keepChildren(readTree(tree).children);
    if (this.#log) this.#log = [log, JSON.parse(lost) as string];
    this.#isHandedOut = true;
    return this.#takenUp(step);
  }

  /** Carries decisions out from a first step until the run ends; waits: or until nothing but people's answers is left. */
  async carriedOut(first: () => Promise<StepTaken>, waits: boolean): Promise<StepTaken> {
    const { signal } = (this.#ending = new AbortController());
    let step = await first();
    while (!hasEnded(step.decision) && dueOf(step).length > 0 && !(waits && asks(dueOf(step)))) {
      const observations = await this.#observeAll(dueOf(step), signal);
      const isHandedOut = this.#isHandedOut;
      try {
        for (const observation of observations) if (!hasEnded(step.decision)) step = await this.#step(observation);
      } catch (error) {
        this.#isHandedOut = isHandedOut; // what the calls of several agents gave may be in no step
        throw error;
      }
    }
    return step;
  }

  /** Shows where a run stands that is taken up, and tells the core if its calls may have run, where it takes that. */
  async #takenUp(step: StepTaken): Promise<StepTaken> {
    this.#parts.watchers.onStep(step);
    return (await this.#toldOfCalls(step.state)) ?? step;
  }

  /** Tells the core that the calls of a run that is taken up may have run, where it takes that. */
  async #toldOfCalls(state: string): Promise<StepTaken | undefined> {
    if (!this.#isHandedOut) return undefined;
    const takes = JSON.parse(accepted(await this.#parts.core.accepted_observations(state))) as string[];
    const isTaken = takes.includes(RESUMED.type);
    if (!this.#parts.steps.hasAgents && lateCalls(state).length === 0) return isTaken ? this.#step(RESUMED) : undefined;
    const handed = openOf(await this.standing()).filter(({ decision }) => runs(decision));
    if (handed.length === 0) return undefined; // it waits for people, models or what goes on elsewhere
    if (isTaken) return this.#step(RESUMED);
    let told: StepTaken | undefined;
    // Of a run that waits itself while its agents' calls ran.
    for (const { decision } of handed) told = await this.#step({ ...RESUMED, run_id: placeOf(decision).run_id! });
    return told;
  }

  async #step(observation: Observation): Promise<StepTaken> {
    const at = (this.#parts.ports.clock ?? Date.now)();
    const start =
      this.#state === undefined ? `"run_id":${JSON.stringify(this.#parts.runId)}` : `"state":${this.#state}`;
    const given = writeExactly({ ...observation, at });
    const observed = isBelow(observation) ? given : await this.#hidden.observed(given, this.#state);
    const step = await this.#parts.steps.read(`${start},"observation":${observed}`, this.#state);
    await this.#parts.ports.log?.append(step.log, headOf(step.state));
    this.#state = step.state;
    this.#isHandedOut = false;
    this.#messages.push(...step.messages);
    this.#keepChildren(step.children);
    this.#log?.push(step.log);
    this.#parts.watchers.onStep(step);
    return step;
  }

  #keepChildren(said: Checkpoint["children"] = {}): void {
    for (const [runId, messages] of Object.entries(said))
      this.#children.set(runId, [...(this.#children.get(runId) ?? []), ...messages]);
  }

  /** Carries out what a run and its agents ask for, all at once; people are asked one after the other. */
  async #observeAll(due: readonly OpenDecision[], signal: AbortSignal): Promise<Observation[]> {
    const found: Observation[] = [];
    if (asks(due)) {
      for (const each of due)
        if (found.length === 0 || !signal.aborted) found.push(...(await this.#observe(each, signal)));
    } else {
      // An error of one leaves none of the others behind.
      const works = await Promise.allSettled(due.map((each) => this.#observe(each, signal)));
      for (const work of works) {
        if (work.status === "rejected") throw work.reason;
        found.push(...work.value);
      }
    }
    return [...found.filter(({ type }) => type !== "cancel"), ...found.filter(({ type }) => type === "cancel")];
  }

  /** Carries out a decision; gives the observations that it led to, in order, and last `cancel` once the run is stopped. */
  async #observe(open: OpenDecision, signal: AbortSignal): Promise<Observation[]> {
    const place = placeOf(open.decision);
    const found = await this.#carriedOutAt(open, place, signal);
    return found.map((each) => (each.type === "cancel" || !place.run_id ? each : { ...each, run_id: place.run_id }));
  }

  async #carriedOutAt(open: OpenDecision, place: AgentPlace, signal: AbortSignal): Promise<Observation[]> {
    const { decision, decision_json } = open;
    if (decision.type === "invoke_tool" || decision.type === "invoke_skill")
      return this.#runTools(withTexts(decision.calls, decision_json).filter(isHere), place, signal);
    if (signal.aborted) return [cancelledBy(signal)];
    if (decision.type === "call_model")
      return [(await callModel(decision, this.#modelCall(place, signal), signal)) ?? cancelledBy(signal)];
    let stop!: () => void;
    const stopped = new Promise<Observation>((resolve) => (stop = () => resolve(cancelledBy(signal))));
    signal.addEventListener("abort", stop);
    try {
      return [await Promise.race([stopped, this.#asked(open, signal)])];
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #asked(open: OpenDecision, signal: AbortSignal): Promise<Observation> {
    return { type: "approvals", approvals: await this.#askPerson(askedIn(open), signal) };
  }

  #modelCall(place: AgentPlace, signal: AbortSignal): ModelCallParts {
    const { ports, adapters, steps, watchers } = this.#parts;
    const { agents, began } = agentsDownTo(this.#state!, place.run_id);
    return {
      core: this.#parts.core,
      state: stateBelow(this.#state!, place.run_id),
      definition: definitionAt(steps.definition, began),
      watcher: watchers.until(signal, place),
      ports: { ...ports, model: adapters.at(agents).model },
      transcript: place.run_id === undefined ? this.#messages : this.#children.get(place.run_id)!,
      attachments: this.#parts.attachments,
    };
  }

  async #askPerson(calls: AskedCall[], signal: AbortSignal): Promise<Approval[]> {
    this.#parts.watchers.onAsked(calls);
    const approvals = await (this.#parts.ports.approve ?? refuseAll)(calls, signal);
    // What is no list of answers is for the core to refuse.
    if (!signal.aborted && Array.isArray(approvals)) this.#parts.watchers.onAnswered(approvals);
    return approvals;
  }

  async #runTools(given: readonly DueCall[], place: AgentPlace, signal: AbortSignal): Promise<Observation[]> {
    this.#isHandedOut = true;
    const { core, ports, adapters, watchers, attachments, onOutcome } = this.#parts;
    const state = this.#state!;
    const { tools } = adapters.at(agentsDownTo(state, place.run_id).agents);
    const calls = given.map((call) => ({ ...call, ...place }));
    watchers.onCalls(calls);
    const run = (call: DueCall) => runTool(core, tools.get(call.tool), call, signal, attachments);
    const results = await runCalls(
      calls,
      (call) => {
        if (call.part) return readPart(core, logBelow((this.#log ?? []).join(""), state, place.run_id), call.part);
        return place.run_id === undefined ? this.#hidden.run(call, state, run) : run(call);
      },
      signal,
      (call, outcome) => {
        onOutcome?.(call, outcome);
        if (!outcome.pending) watchers.onResult(call, outcome);
      },
      ports.clock ?? Date.now,
    );
    return [...observed(results), ...(signal.aborted ? [cancelledBy(signal)] : [])];
  }
}

/** Gives results of calls as the observations that they are: those of calls that go on elsewhere, one each, come first. */
export function observed(outcomes: readonly (ToolOutcome & { readonly call_id: string })[]): Observation[] {
  const results = outcomes.filter(({ pending }) => !pending);
  return [
    ...outcomes.flatMap(({ call_id, pending }): Observation[] =>
      pending ? [{ type: "tool_pending", call_id, ...pending }] : [],
    ),
    ...(results.length > 0 ? [{ type: "tool_results", results } as Observation] : []),
  ];
}

/** Throws where a checkpoint lacks what was said to an agent that goes on: its prompts name it. */
function checkTranscripts({ state, children }: Checkpoint): void {
  if (haveTranscripts(state, children)) return;
  const message =
    "expected a checkpoint with the transcripts of the agents that go on; store its `children` too, or go on from the log";
  throw new PurestepError("invalid_input", message, "/from/children");
}

function isBelow(observation: Observation): boolean {
  return "run_id" in observation && observation.run_id != null;
}

function cancelledBy(signal: AbortSignal): Observation {
  return { type: "cancel", reason: String(signal.reason) };
}

function headOf(state: string): string {
  return (JSON.parse(state) as { head: string }).head;
}
