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
  Decision,
  Done,
  Failed,
  Message,
  Observation,
  RequestApproval,
  UserMessage,
} from "../generated/wire.js";
import { refuseAll } from "./approving.js";
import { withTexts } from "./decision_text.js";
import { callModel, type ModelCallParts } from "./model_call.js";
import { HiddenTexts } from "./hidden_texts.js";
import type { AskedCall, DueCall, Ports, StepTaken, Tool } from "./ports.js";
import { runCalls } from "./run_calls.js";
import { readPart, runTool } from "./run_tool.js";
import { type AttachmentSource, type AttachmentStore, contentOf } from "./attachments.js";
import type { StepReader } from "./step_reader.js";
import type { Watchers } from "./watchers.js";

/** How a run ended. */
export type RunEnd = Done | (Failed & { readonly answer?: undefined });

/** Where a run stops: at its end, or where it waits for a person. */
export type RunStop = RunEnd | RequestApproval;

/** The state and transcript of a run: enough to continue it, here or on another host. */
export interface Checkpoint {
  readonly state: string;
  readonly messages: readonly Message[];
  /** The run's log so far, where the definition names `read_output`: calls that read on in outputs are answered from it. */
  readonly log?: string;
}

/** `auto`, `required` (a tool before the answer), `none`, or the tool to call first. */
export type ToolChoice = NonNullable<UserMessage["tool_choice"]>;

/** What a run has of its agent. */
export interface RunParts {
  readonly core: AnyCore;
  readonly ports: Ports;
  readonly steps: StepReader;
  readonly watchers: Watchers;
  readonly attachments: AttachmentStore;
  readonly runId: string;
  readonly from: Checkpoint | undefined;
  /** Whether calls that the checkpoint's decision names may have been begun. */
  readonly handedOut: boolean;
}

const RESUMED: Observation = { type: "resumed" };

/** One run. */
export class RunLoop {
  readonly #parts: RunParts;
  #state: string | undefined;
  #messages: Message[];
  #log: string[] | undefined;
  #ending = new AbortController();
  /** Whether the calls of the current decision may have been begun, here or on another host. */
  #isHandedOut: boolean;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #hidden: HiddenTexts;

  constructor(parts: RunParts) {
    const { from, ports, steps } = (this.#parts = parts);
    this.#tools = new Map((ports.tools ?? []).map((tool) => [tool.spec.name, tool]));
    this.#hidden = new HiddenTexts(parts.core, () => steps.definition);
    this.#state = from?.state;
    this.#isHandedOut = parts.handedOut;
    this.#messages = [...(from?.messages ?? [])];
    if (steps.readsOn) this.#log = [from?.log ?? ""];
  }

  get checkpoint(): Checkpoint | undefined {
    if (this.#state === undefined) return undefined;
    const log = this.#log && { log: this.#log.join("") };
    return { state: this.#state, messages: [...this.#messages], ...log };
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
    });
  }

  /** Takes a person's answers. */
  async answered(approvals: readonly Approval[]): Promise<StepTaken> {
    this.#begunState();
    const step = await this.#step({ type: "approvals", approvals: [...approvals] });
    this.#parts.watchers.onAnswered(approvals);
    return step;
  }

  /** Asks the core again where the run stands. */
  async continued(): Promise<StepTaken> {
    const state = this.#begunState();
    return this.#takenUp(await this.#parts.steps.read(`"state":${state}`, state));
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
    const [state, messages, lost] = lines as [string, string, string];
    // Throws for the run of another definition, before anything is written or changed.
    const step = await this.#parts.steps.read(`"state":${state}`, state);
    if (lost !== '""') await this.#parts.ports.log?.append(JSON.parse(lost), headOf(state));
    this.#state = state;
    this.#messages = parseVerbatim(messages) as Message[];
    if (this.#log) this.#log = [log, JSON.parse(lost) as string];
    this.#isHandedOut = true;
    return this.#takenUp(step);
  }

  /** Carries decisions out from a first step until the run ends; waits: or until a person has to be asked. */
  async carriedOut(first: () => Promise<StepTaken>, waits: boolean): Promise<StepTaken> {
    const { signal } = (this.#ending = new AbortController());
    let step = await first();
    while (!hasEnded(step.decision) && !(waits && step.decision.type === "request_approval")) {
      for (const observation of await this.#observe(step.decision, step.decision_json, signal)) {
        if (!hasEnded(step.decision)) step = await this.#step(observation);
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
    return takes.includes(RESUMED.type) ? this.#step(RESUMED) : undefined;
  }

  async #step(observation: Observation): Promise<StepTaken> {
    const at = (this.#parts.ports.clock ?? Date.now)();
    const start =
      this.#state === undefined ? `"run_id":${JSON.stringify(this.#parts.runId)}` : `"state":${this.#state}`;
    const observed = await this.#hidden.observed(writeExactly({ ...observation, at }), this.#state);
    const step = await this.#parts.steps.read(`${start},"observation":${observed}`, this.#state);
    await this.#parts.ports.log?.append(step.log, headOf(step.state));
    this.#state = step.state;
    this.#isHandedOut = false;
    this.#messages.push(...step.messages);
    this.#log?.push(step.log);
    this.#parts.watchers.onStep(step);
    return step;
  }

  /** Carries out a decision; gives the observations that it led to, in order, and last `cancel` once the run is stopped. */
  async #observe(
    decision: Exclude<Decision, Done | Failed>,
    text: string,
    signal: AbortSignal,
  ): Promise<Observation[]> {
    if (decision.type === "invoke_tool" || decision.type === "invoke_skill")
      return this.#runTools(withTexts(decision.calls, text), signal);
    if (signal.aborted) return [cancelledBy(signal)];
    if (decision.type === "call_model")
      return [(await callModel(decision, this.#modelCall(signal), signal)) ?? cancelledBy(signal)];
    let stop!: () => void;
    const stopped = new Promise<Observation>((resolve) => (stop = () => resolve(cancelledBy(signal))));
    signal.addEventListener("abort", stop);
    try {
      return [await Promise.race([stopped, this.#asked(decision, text, signal)])];
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #asked({ calls }: RequestApproval, text: string, signal: AbortSignal): Promise<Observation> {
    return { type: "approvals", approvals: await this.#askPerson(withTexts(calls, text), signal) };
  }

  #modelCall(signal: AbortSignal): ModelCallParts {
    return {
      core: this.#parts.core,
      state: this.#state!,
      definition: this.#parts.steps.definition,
      watcher: this.#parts.watchers.until(signal),
      ports: this.#parts.ports,
      transcript: this.#messages,
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

  async #runTools(calls: readonly DueCall[], signal: AbortSignal): Promise<Observation[]> {
    this.#isHandedOut = true;
    const state = this.#state!;
    this.#parts.watchers.onCalls(calls);
    const results = await runCalls(
      calls,
      (call) =>
        call.part
          ? readPart(this.#parts.core, (this.#log ?? []).join(""), call.part)
          : this.#hidden.run(call, state, (given) =>
              runTool(this.#parts.core, this.#tools.get(call.tool), given, signal, this.#parts.attachments),
            ),
      signal,
      (call, outcome) => this.#parts.watchers.onResult(call, outcome),
      this.#parts.ports.clock ?? Date.now,
    );
    return [{ type: "tool_results", results }, ...(signal.aborted ? [cancelledBy(signal)] : [])];
  }
}

function hasEnded(decision: Decision): decision is Done | Failed {
  return decision.type === "done" || decision.type === "failed";
}

function cancelledBy(signal: AbortSignal): Observation {
  return { type: "cancel", reason: String(signal.reason) };
}

function headOf(state: string): string {
  return (JSON.parse(state) as { head: string }).head;
}
