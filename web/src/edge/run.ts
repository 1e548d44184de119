/**
 * One request's part of a run: restores it, carries out decisions, and returns it.
 *
 * It stops when the run ends, when nothing but people's answers is left, and when the request's time is over. The answer
 * then holds all that any host needs to continue after the last step: state, messages, those of agents, and log.
 *
 * A request that begins with a state whose calls were handed out cannot know whether they ran: the loop tells the core.
 */
import { readTree } from "../agent/decision_text.js";
import { asks, dueOf, hasEnded, openOf, runs } from "../agent/due.js";
import type { DueCall, OutputWatcher, Ports, StepTaken, ToolOutcome } from "../agent/ports.js";
import { ended } from "../agent/run_calls.js";
import { type Checkpoint, observed, RunLoop } from "../agent/run_loop.js";
import { StepReader } from "../agent/step_reader.js";
import type { Adapters } from "../agent/sub_agents.js";
import { Watchers } from "../agent/watchers.js";
import type { AnyCore } from "../core/core.js";
import { type Deadline, pause } from "../deadline.js";
import { accepted, PurestepError } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { Approval, Decision, Done, Failed, Message, Observation } from "../generated/wire.js";
import { errorMember, jsonAnswer, statusOfError, statusOfFailure } from "./answers.js";
import { definitionOf } from "./definitions.js";
import { approvalsOf, type KeyedAnswer, staleAnswer } from "./keyed_answers.js";
import { overError } from "./request_end.js";
import type { RunRequest } from "./run_request.js";
import { RequestSeal, type SealParts } from "./request_seal.js";
import { SentFiles } from "./sent_files.js";

/** What a run uses; from the host's configuration, never from a request. */
export interface RunParts extends SealParts {
  core: AnyCore;
  /** The model and the tools, and those of the agents among these. */
  adapters: Adapters;
  /** The service's own definition as text, with its tools and agents. */
  own: string;
  host: string;
  /** Bytes of a request's body. */
  maxBodyBytes: number;
  clock: () => number;
  newRunId: () => string;
}

const LEFT = "the user said something else";
const REFUSED = "the user refused what was approved before";
const REST_OF_CHAT = "send the chat again to go on";
const REST_OF_RUN = "continue the run with the state and log of this answer";

/** What a request has beside the run: its seal, and a question or answers. */
const ROOM_BYTES = 1024;

/** Thrown to leave the loop after the last step. */
class Stopped extends Error {}

/** Runs until the end, an approval or the request's time limit, and gives the answer. Throws PurestepError for what the core refuses. */
export async function runAnswer(parts: RunParts, asked: RunRequest, limit: Deadline): Promise<Response> {
  const part = new RequestRun(parts, asked, limit);
  await part.prepare();
  await part.untilStopped();
  return part.answer();
}

/** Where a run stands when its request is over. */
export interface RequestEnd {
  checkpoint: Checkpoint;
  /** What is asked for there. */
  step: StepTaken;
  status: number;
  error?: Failed | PurestepError;
}

/** Reads a run of a chat while it goes on. */
export interface RunReader extends Pick<Required<OutputWatcher>, "onText" | "onReasoning" | "onRetract"> {
  /** The run is restored, and this is its log. */
  onRestored(log: string): Promise<void>;
  /** The log has these further lines, with which the run stands here. */
  onLines(lines: string, at: Checkpoint): void;
}

/** One request's part of a run: `prepare`, then `untilStopped`, then `end`. */
export class RequestRun {
  readonly signal: AbortSignal;
  #log = "";
  #steps: StepReader | undefined;
  #loop: RunLoop | undefined;
  /** Whether decisions are carried out, and no longer only what came with the request is taken. */
  #isPrepared = false;
  #hasStepped = false;
  readonly #seal: RequestSeal;
  readonly #files: SentFiles;
  /** What the run is asked, unless it is in the middle of that. */
  #query: string | undefined;
  /** Whether the run goes on with a person's answers before it is asked anything. */
  #goesOn = false;
  /** Whether a person has refused what a call that was handed out does. */
  #isRefused = false;
  /** What came of calls, by their keys. */
  readonly #came = new Map<string, ToolOutcome & { call_id: string }>();
  /** Says which image or file a model was to be sent and did not come. */
  #missing: PurestepError | undefined;

  constructor(
    readonly parts: RunParts,
    readonly asked: RunRequest,
    readonly limit: Deadline,
    readonly reader?: RunReader,
  ) {
    this.signal = limit.signal;
    this.#seal = new RequestSeal(parts, asked.seal);
    this.#files = new SentFiles(asked.files_before ?? (() => []));
    this.#query = asked.query;
  }

  /** Takes the request: checks it, restores the run, and takes the answers. Throws PurestepError for what is refused. */
  async prepare(): Promise<void> {
    const { state, messages, children, log, files = [], agent } = this.asked;
    await this.#files.check(files);
    let from: Checkpoint | undefined;
    if (log !== undefined) from = await this.#replayed(log, state);
    else if (state !== undefined) from = { state, messages: messages ?? [], ...(children && { children }) };
    const { core, adapters } = this.parts;
    this.#steps = new StepReader(core, await definitionOf(this.parts, agent), adapters);
    // Of what came of the run, if it did: the log leads to the same.
    if (from)
      await this.#seal.check({
        state: state ?? from.state,
        messages: messages ?? from.messages,
        ...given(children ?? from.children),
      });
    this.#loop = this.#loopFrom(from, (lines) => this.#append(lines));
    if (from) await this.#takenUp(this.#loop);
    else await this.reader?.onRestored(this.#log);
    this.#isPrepared = true;
  }

  /** Takes what came with a run: answers, or that its client has left it. */
  async #takenUp(loop: RunLoop): Promise<void> {
    // Throws for an inconsistent state or one of another definition, before any work.
    const step = await loop.standing();
    const { answers } = this.asked;
    const approvals = answers ? await this.#answered(answers, step) : this.asked.approvals;
    if (this.reader && this.#query !== undefined && approvals === undefined) await this.#leftExchange(loop, step);
    await this.reader?.onRestored(this.#log);
    if (this.#isRefused) await loop.recorded([{ type: "cancel", reason: REFUSED }]);
    if (approvals !== undefined) await loop.answered(parseVerbatim(approvals) as Approval[]);
  }

  /** Carries decisions out until the run's end, an approval, or the request's end. */
  async untilStopped(): Promise<void> {
    const { tool_choice, files = [] } = this.asked;
    const loop = this.#loop!;
    const query = this.#query;
    await this.#untilOver(async () => {
      if (query === undefined || this.#goesOn) {
        const { decision } = await loop.carriedOut(() => loop.continued(), true);
        if (query === undefined || decision.type !== "done" || this.signal.aborted) return;
      }
      await loop.carriedOut(() => loop.said(query, tool_choice, files, [], false), true);
    });
  }

  #loopFrom(from: Checkpoint | undefined, append: (lines: string) => Promise<void>): RunLoop {
    const { core, adapters, clock } = this.parts;
    const { reader } = this;
    const watchers = new Watchers({
      onText: (text) => reader?.onText(text),
      onReasoning: (reasoning) => reader?.onReasoning(reasoning),
      onRetract: () => reader?.onRetract(),
      onStep: ({ log: lines }) => void (lines && reader?.onLines(lines, loop.checkpoint!)),
    });
    const ports: Ports = {
      model: adapters.model,
      log: { append },
      clock,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
    const loop = new RunLoop({
      ...{ core, ports, adapters, watchers, from, attachments: this.#files, handedOut: true },
      onOutcome: (call, outcome) => this.#keep(call, outcome),
      steps: this.#steps!,
      runId: from ? "" : (this.asked.run_id ?? this.parts.newRunId()),
    });
    return loop;
  }

  /** Replays a log; a state in the same request must be the one that results. */
  async #replayed(log: string, state: string | undefined): Promise<Checkpoint> {
    const lines = accepted(await this.parts.core.replay_log_lines(log)).split("\n");
    const [found, messages, lost, , torn, tree] = lines as [string, string, string, string, string, string?];
    if (Number(torn) > 0)
      throw new PurestepError("invalid_log", "expected whole lines; the last one is cut off", "/log");
    if (!isAsGiven(log) || (this.parts.seals && lost !== '""')) {
      const message = "expected the log as it was given: every line, each with its line break, and nothing else";
      throw new PurestepError("head_mismatch", message, "/log");
    }
    if (state !== undefined && headOf(state) !== headOf(found)) {
      throw new PurestepError(
        "head_mismatch",
        "expected the log that led to this state, or one of the two alone",
        "/log",
      );
    }
    this.#log = log + (JSON.parse(lost) as string);
    const { children } = readTree(tree);
    const said = parseVerbatim(messages) as Message[];
    return { state: found, messages: said, ...given(children), log: this.#log };
  }

  /** Cancels an exchange that has no end: a client that left it and says something else has stopped it. */
  async #leftExchange(loop: RunLoop, { state }: StepTaken): Promise<void> {
    if (!(await this.#takes(state)).includes("cancel")) return;
    if (this.asked.repeats) this.#query = undefined;
    else await loop.recorded([{ type: "cancel", reason: LEFT }]);
  }

  /**
   * Takes the answers of a client that knows calls by their keys; gives those that the core takes.
   *
   * A client keeps what it was asked until a stream ends well, so one that broke off later brings its answers again: the
   * run goes on after those that approve, and ends after those that do not. With a message beside them they are over;
   * beside answers that are due, a message counts that the run does not have yet.
   */
  async #answered(answers: readonly KeyedAnswer[], step: StepTaken): Promise<string | undefined> {
    const open = openOf(step).map(({ decision }) => decision);
    const approvals = approvalsOf(answers, open);
    if (approvals === undefined && this.#query !== undefined) return undefined;
    if (approvals === undefined || this.asked.repeats) this.#query = undefined;
    if (approvals !== undefined) {
      this.#goesOn = true;
      return approvals;
    }
    if (open.some(({ type }) => type === "request_approval") || !(await this.#takes(step.state)).includes("cancel"))
      throw staleAnswer();
    this.#isRefused = answers.some(({ approved }) => approved !== true);
    return undefined;
  }

  async #takes(state: string): Promise<string[]> {
    return JSON.parse(accepted(await this.parts.core.accepted_observations(state))) as string[];
  }

  /** Works until that ends or the request does, whichever comes first; then models and tools are let go. */
  async #untilOver(work: () => Promise<void>): Promise<void> {
    if (this.signal.aborted) return;
    const over = new Promise<void>((resolve) => {
      const stop = (): void => {
        this.#loop!.cancel("the request is over");
        resolve();
      };
      this.signal.addEventListener("abort", stop, { once: true });
    });
    try {
      await Promise.race([work(), over]);
    } catch (error) {
      if (error instanceof PurestepError && error.code.startsWith("attachment_")) this.#missing = error;
      else if (!(error instanceof Stopped)) throw error;
    }
  }

  /** Waits before a retry, if the wait ends within the request; a client that continues a run has waited itself. */
  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasStepped) return;
    if (ms > this.limit.leftMs()) throw new Stopped();
    await pause(ms, signal);
  }

  /** Rejects lines after the request is aborted, so that the result of an aborted call never enters the run. */
  async #append(lines: string): Promise<void> {
    const isOver = (): boolean => this.#isPrepared && this.signal.aborted;
    if (!isOver()) await this.#seal.spend();
    if (isOver()) throw new Stopped();
    this.#hasStepped = this.#isPrepared;
    this.#log += lines;
  }

  /** Keeps what came of a call until it is in a step; the failure of a call that the request's end aborted says nothing of the call. */
  #keep(call: DueCall, outcome: ToolOutcome): void {
    if (!this.signal.aborted) this.#came.set(call.key, { call_id: call.call_id, ...ended(outcome, this.parts.clock) });
  }

  /** Gives where the run stands, with the results that came last. */
  async end(): Promise<RequestEnd> {
    const stood = this.#loop?.checkpoint;
    if (!stood) throw overError(this.signal, "the run had not started");
    // Of its own, since the other one may still wait for what it has let go.
    const loop = this.#loopFrom(stood, async (lines) => void (this.#log += lines));
    let step = await loop.standing();
    const results = openOf(step).flatMap(({ decision }) => this.#resultsFor(decision));
    if (results.length > 0) {
      await loop.recorded(results);
      step = await loop.standing();
    }
    return { checkpoint: loop.checkpoint!, step, ...this.#end(step) };
  }

  /** Gives what came of calls before the request's time was over, so that only the other calls are left open. */
  #resultsFor(decision: Decision): Observation[] {
    if (!runs(decision)) return [];
    const { calls, run_id } = decision as Decision & { calls: readonly DueCall[]; run_id?: string };
    const came = observed(calls.flatMap(({ key }) => this.#came.get(key) ?? []));
    return came.map((each) => ({ ...each, ...(run_id !== undefined && { run_id }) }));
  }

  /** Gives the seal of a checkpoint; undefined where runs are handed out unsigned. */
  sealOf(checkpoint: Checkpoint): Promise<string | undefined> {
    return this.#seal.of(checkpoint);
  }

  /** Gives the answer with the checkpoint; its status says why the run stopped. */
  async answer(): Promise<Response> {
    const { checkpoint, step, error, status } = await this.end();
    const { decision_json: decision, also } = step;
    const { children } = checkpoint;
    const seal = await this.sealOf(checkpoint);
    const state = [
      `"state":${checkpoint.state}`,
      `"messages":${writeExactly(checkpoint.messages)}`,
      ...(children ? [`"children":${writeExactly(children)}`] : []),
    ];
    const log = `"log":${JSON.stringify(this.#log)}`;
    const tooLarge = this.#tooLarge(state.join(), log);
    const told = hasEnded(step.decision) ? (error ?? tooLarge) : (tooLarge ?? error);
    const members = [
      ...(told ? [errorMember(told)] : []),
      `"result":${resultOf(decision)}`,
      `"decision":${decision}`,
      ...(also.length > 0 ? [`"also":[${also.map(({ decision_json }) => decision_json).join(",")}]`] : []),
      ...(tooLarge ? [] : state),
      log,
      ...(seal === undefined || tooLarge ? [] : [`"seal":${JSON.stringify(seal)}`]),
      `"model":${JSON.stringify(this.parts.adapters.model.name)}`,
      `"host":${JSON.stringify(this.parts.host)}`,
    ];
    const stops = tooLarge && !hasEnded(step.decision);
    return jsonAnswer(stops ? statusOfError(tooLarge.code) : status, `{${members.join(",")}}`);
  }

  /** Says that no request could bring the run back: neither its state with the transcript, nor its log, would be taken. */
  #tooLarge(...ways: string[]): PurestepError | undefined {
    const most = this.parts.maxBodyBytes;
    const written = new TextEncoder();
    if (ways.some((way) => written.encode(way).byteLength + ROOM_BYTES <= most)) return undefined;
    const what = "the run cannot go on here: a request with its state or its log would be larger than";
    return new PurestepError("run_too_large", `${what} ${most} bytes; begin a new run, or raise max_body_bytes`);
  }

  /** Says how a request ends with which a run stands here: done, failed, waiting for people, or before it could. */
  #end(step: StepTaken): Pick<RequestEnd, "status" | "error"> {
    const { decision } = step;
    if (hasEnded(decision))
      return decision.type === "done" ? { status: 200 } : { status: statusOfFailure(decision.code), error: decision };
    const due = dueOf(step);
    const isWaiting = due.length === 0;
    if (!isWaiting && asks(due)) return { status: 200 };
    const error = !isWaiting
      ? (this.#missing ?? overError(this.signal, this.reader ? REST_OF_CHAT : REST_OF_RUN))
      : new PurestepError(
          "waiting",
          "the run waits for a call that goes on elsewhere; the service takes no such result",
        );
    return { status: statusOfError(error.code), error };
  }
}

/** Gives the transcripts of agents as a member; none for none. */
function given(children: Checkpoint["children"]): Pick<Checkpoint, "children"> {
  return children && Object.keys(children).length > 0 ? { children } : {};
}

/** Tells whether a log is its lines and nothing else; what stands within a line is what the hash chain settles. */
function isAsGiven(log: string): boolean {
  const lines = log.split("\n");
  return lines.pop() === "" && lines.every((line) => line.startsWith("{"));
}

function resultOf(decision: string): string {
  return JSON.stringify((JSON.parse(decision) as Partial<Done>).answer ?? null);
}

function headOf(state: string): unknown {
  return (JSON.parse(state) as { head?: unknown }).head;
}
