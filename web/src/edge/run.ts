/**
 * One request's part of a run: restores it, carries out decisions, and returns it.
 *
 * It stops when the run ends, when an approval is needed, and when the request's time is over. The answer then holds
 * all that any host needs to continue after the last step: state, messages and log.
 *
 * A request that begins with a state whose calls were handed out cannot know whether they ran: `Agent` tells the core.
 */
import { Agent } from "../agent/agent.js";
import type { Checkpoint } from "../agent/agent.js";
import { type CarryLevel, completed, isOf, profileOf } from "../agent/carry.js";
import type { Model, OutputWatcher, Ports, Tool } from "../agent/ports.js";
import { ended } from "../agent/run_calls.js";
import type { AnyCore } from "../core/core.js";
import { type Deadline, deadline, LONGEST_TIMER_MS, pause } from "../deadline.js";
import { accepted, PurestepError } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { AgentDefinition, Decision, Done, Failed, Message, ToolResult } from "../generated/wire.js";
import { errorMember, jsonAnswer, ofMember, statusOfError, statusOfFailure } from "./answers.js";
import { approvalsOf, type KeyedAnswer, staleAnswer } from "./keyed_answers.js";
import { overError } from "./request_end.js";
import type { RunRequest } from "./run_request.js";
import { RequestSeal, type SealParts } from "./request_seal.js";
import { SentFiles } from "./sent_files.js";
import { refuseAgents } from "./without_agents.js";

/** What a run uses; from the host's configuration, never from a request. */
export interface RunParts extends SealParts {
  core: AnyCore;
  model: Model;
  tools: readonly Tool[];
  agent: AgentDefinition;
  carry: CarryLevel;
  host: string;
  clock: () => number;
  newRunId: () => string;
}

const LEFT = "the user said something else";
const REFUSED = "the user refused what was approved before";
const REST_OF_CHAT = "send the chat again to go on";
const REST_OF_RUN = "continue the run with the state and log of this answer";

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
  /** The decision as text. */
  decision: string;
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
  /** The definition with the host's tools, and the level and window of its model. */
  #definition = "";
  #log = "";
  #hasStepped = false;
  #agent: Agent | undefined;
  readonly #seal: RequestSeal;
  readonly #files: SentFiles;
  /** What the run is asked, unless it is in the middle of that. */
  #query: string | undefined;
  /** Whether the run goes on with a person's answers before it is asked anything. */
  #goesOn = false;
  /** Whether a person has refused what a call that was handed out does. */
  #isRefused = false;
  /** The results that came since the last step. */
  #came: ToolResult[] = [];
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
    const { state, messages = [], log, files = [], answers } = this.asked;
    await this.#files.check(files);
    let from: Checkpoint | undefined;
    let { approvals } = this.asked;
    if (log !== undefined) from = await this.#replayed(log, state);
    else if (state !== undefined) from = { state, messages };
    this.#definition = await this.#completed(from?.state);
    if (from) {
      // Of the state and messages that came, if any: the log leads to the same.
      await this.#seal.check({ state: state ?? from.state, messages: this.asked.messages ?? from.messages });
      // Throws for an inconsistent state or one of another definition, before any work.
      const decision = await this.#decision(from.state);
      if (answers) approvals = await this.#answered(answers, from, decision);
    }
    if (from && this.reader && this.#query !== undefined && approvals === undefined)
      from = await this.#leftExchange(from);
    await this.reader?.onRestored(this.#log);
    if (from && this.#isRefused) from = await this.#cancelled(from, REFUSED);
    if (from && approvals !== undefined) {
      from = await this.#approved(from, approvals);
      await this.#seal.spend();
    }
    this.#agent = this.#agentFrom(from, approvals === undefined);
  }

  /** Carries decisions out until the run's end, an approval, or the request's end. */
  async untilStopped(): Promise<void> {
    const { tool_choice, files: attachments = [] } = this.asked;
    const agent = this.#agent!;
    const query = this.#query;
    if (query === undefined) return this.#untilStopped(agent.continueRun());
    const ask = () => agent.ask(query, { tool_choice, attachments });
    if (!this.#goesOn) return this.#untilStopped(ask());
    const answered = agent.continueRun();
    return this.#untilStopped(answered.then((end) => (end.type === "failed" ? end : ask())));
  }

  /**
   * Gives the definition with the host's parts; one that a client sends is held to the host's own approval rules.
   *
   * A run that began without what this host knows of its model, as step by step or on another host, goes on so.
   */
  async #completed(state: string | undefined): Promise<string> {
    const { agent } = this.asked;
    const own = writeExactly(this.parts.agent);
    refuseAgents(own);
    if (agent === undefined) return this.#withParts(own, state);
    try {
      refuseAgents(agent);
      const definition = await this.#withParts(agent, state, { rules_of: this.parts.agent });
      accepted(await this.parts.core.load_agent(definition));
      return definition;
    } catch (error) {
      throw error instanceof PurestepError ? ofMember("/agent", error) : error;
    }
  }

  async #withParts(agent: string, state: string | undefined, rules?: { rules_of: AgentDefinition }): Promise<string> {
    const { core, model, carry, tools } = this.parts;
    const definition = await completed(core, agent, { tools: tools.map(({ spec }) => spec), ...rules });
    const profile = profileOf(model, carry);
    if (!profile || (state !== undefined && (await isOf(core, definition, state)))) return definition;
    return completed(core, definition, { profile });
  }

  #agentFrom(from: Checkpoint | undefined, handed_out: boolean): Agent {
    const options = from ? { from, handed_out } : { run_id: this.asked.run_id ?? this.parts.newRunId() };
    return new Agent(this.parts.core, this.#ports(), this.#definition, options);
  }

  /** Replays a log; a state in the same request must be the one that results. */
  async #replayed(log: string, state: string | undefined): Promise<Checkpoint> {
    const lines = accepted(await this.parts.core.replay_log_lines(log)).split("\n");
    const [found, messages, lost, , torn] = lines as [string, string, string, string, string];
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
    return { state: found, messages: parseVerbatim(messages) as Message[], log: this.#log };
  }

  /**
   * Passes a person's answers to the core, which checks them against the pending calls.
   *
   * No call of a turn is handed out before all of its calls are answered.
   */
  async #approved(from: Checkpoint, approvals: string): Promise<Checkpoint> {
    return this.#stepped(from, `{"type":"approvals","approvals":${approvals},"at":${this.parts.clock()}}`);
  }

  /** Cancels an exchange that has no end: a client that left it and says something else has stopped it. */
  async #leftExchange(from: Checkpoint): Promise<Checkpoint> {
    const takes = JSON.parse(accepted(await this.parts.core.accepted_observations(from.state))) as string[];
    if (!takes.includes("cancel")) return from;
    if (!this.asked.repeats) return this.#cancelled(from, LEFT);
    this.#query = undefined;
    return from;
  }

  /**
   * Takes the answers of a client that knows calls by their keys; gives those that the core takes.
   *
   * A client keeps what it was asked until a stream ends well, so one that broke off later brings its answers again: the
   * run goes on after those that approve, and ends after those that do not. With a message beside them they are over;
   * beside answers that are due, a message counts that the run does not have yet.
   */
  async #answered(
    answers: readonly KeyedAnswer[],
    { state }: Checkpoint,
    decision: string,
  ): Promise<string | undefined> {
    const approvals = approvalsOf(answers, JSON.parse(decision) as Decision);
    if (approvals === undefined && this.#query !== undefined) return undefined;
    if (approvals === undefined || this.asked.repeats) this.#query = undefined;
    if (approvals !== undefined) {
      this.#goesOn = true;
      return approvals;
    }
    const takes = JSON.parse(accepted(await this.parts.core.accepted_observations(state))) as string[];
    if (takes.includes("approvals") || !takes.includes("cancel")) throw staleAnswer();
    this.#isRefused = answers.some(({ approved }) => approved !== true);
    return undefined;
  }

  async #cancelled(from: Checkpoint, reason: string): Promise<Checkpoint> {
    return this.#stepped(from, writeExactly({ type: "cancel", reason, at: this.parts.clock() }));
  }

  /** Records the results that came before the request's time was over, so that only the other calls are left open. */
  async #withResults(from: Checkpoint): Promise<Checkpoint> {
    if (this.#came.length === 0) return from;
    return this.#stepped(from, writeExactly({ type: "tool_results", results: this.#came, at: this.parts.clock() }));
  }

  async #stepped(from: Checkpoint, observation: string): Promise<Checkpoint> {
    const input = `{"agent":${this.#definition},"state":${from.state},"observation":${observation}}`;
    const lines = accepted(await this.parts.core.run_agent_step_lines(input)).split("\n");
    const [state, messages, log] = lines as [string, string, string];
    const written = JSON.parse(log) as string;
    this.#log += written;
    const all = [...from.messages, ...(parseVerbatim(messages) as Message[])];
    const stepped = { state, messages: all, log: this.#log };
    this.reader?.onLines(written, stepped);
    return stepped;
  }

  /** Waits for the loop's end or the request's, whichever comes first. */
  async #untilStopped(loop: Promise<unknown>): Promise<void> {
    const over = new Promise<void>((resolve) => {
      if (this.signal.aborted) resolve();
      this.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      await Promise.race([loop, over]);
    } catch (error) {
      if (error instanceof PurestepError && error.code.startsWith("attachment_")) this.#missing = error;
      else if (!(error instanceof Stopped)) throw error;
    }
  }

  /** The ports of the loop: those of the configuration, aborted with the request, and an approval port that stops the loop. */
  #ports(): Ports {
    const { model, tools, clock } = this.parts;
    return {
      model: {
        name: model.name,
        refused: model.refused,
        ...(model.parameters && { parameters: (request) => model.parameters!(request) }),
        complete: (request, reply, signal) => this.#complete(request, reply, signal),
      },
      tools: tools.map(({ spec, run }) => ({ spec, run: (params, call) => run(params, call, this.signal) })),
      approve: () => {
        throw new Stopped();
      },
      log: { append: (lines) => this.#append(lines) },
      watch: {
        onResult: (call, outcome) => this.#keep({ call_id: call.call_id, ...ended(outcome, clock) }),
        onText: (text) => this.reader?.onText(text),
        onReasoning: (reasoning) => this.reader?.onReasoning(reasoning),
        onRetract: () => this.reader?.onRetract(),
        onStep: ({ log: lines }) => void (lines && this.reader?.onLines(lines, this.#agent!.checkpoint!)),
      },
      clock,
      attachments: this.#files,
      sleep: (ms) => this.#sleep(ms),
    };
  }

  /** Asks the model; the loop or the request may abort it. */
  async #complete(...[request, reply, signal]: Parameters<Model["complete"]>): ReturnType<Model["complete"]> {
    const ending = deadline([signal, this.signal], LONGEST_TIMER_MS);
    try {
      return await this.parts.model.complete(request, reply, ending.signal);
    } finally {
      ending.close();
    }
  }

  /** Waits before a retry, if the wait ends within the request; a client that continues a run has waited itself. */
  async #sleep(ms: number): Promise<void> {
    if (!this.#hasStepped) return;
    if (ms > this.limit.leftMs()) throw new Stopped();
    await pause(ms, this.signal);
    if (this.signal.aborted) throw new Stopped();
  }

  /** Rejects lines after the request is aborted, so that the result of an aborted call never enters the run. */
  async #append(lines: string): Promise<void> {
    if (!this.signal.aborted) await this.#seal.spend();
    if (this.signal.aborted) throw new Stopped();
    this.#hasStepped = true;
    this.#came = [];
    this.#log += lines;
  }

  /** Keeps a result until it is in a step; the failure of a call that the request's end aborted says nothing of the call. */
  #keep(result: ToolResult): void {
    if (!this.signal.aborted) this.#came.push(result);
  }

  /** Gives where the run stands, with the results that came last. */
  async end(): Promise<RequestEnd> {
    const stood = this.#agent?.checkpoint;
    if (!stood) throw overError(this.signal, "the run had not started");
    const checkpoint = await this.#withResults(stood);
    const decision = await this.#decision(checkpoint.state);
    return { checkpoint, decision, ...this.#end(JSON.parse(decision) as Decision) };
  }

  /** Gives the seal of a checkpoint; undefined where runs are handed out unsigned. */
  sealOf(checkpoint: Checkpoint): Promise<string | undefined> {
    return this.#seal.of(checkpoint);
  }

  /** Gives the answer with the checkpoint; its status says why the run stopped. */
  async answer(): Promise<Response> {
    const { checkpoint, decision, error, status } = await this.end();
    const seal = await this.sealOf(checkpoint);
    const members = [
      ...(error ? [errorMember(error)] : []),
      `"result":${resultOf(decision)}`,
      `"decision":${decision}`,
      `"state":${checkpoint.state}`,
      `"messages":${writeExactly(checkpoint.messages)}`,
      `"log":${JSON.stringify(this.#log)}`,
      ...(seal === undefined ? [] : [`"seal":${JSON.stringify(seal)}`]),
      `"model":${JSON.stringify(this.parts.model.name)}`,
      `"host":${JSON.stringify(this.parts.host)}`,
    ];
    return jsonAnswer(status, `{${members.join(",")}}`);
  }

  /** Gives the decision at a state as text, since its arguments can hold digits that JavaScript would lose. */
  async #decision(state: string): Promise<string> {
    const input = `{"agent":${this.#definition},"state":${state}}`;
    return accepted(await this.parts.core.run_agent_step_lines(input)).split("\n")[3]!;
  }

  #end(decision: Decision): Pick<RequestEnd, "status" | "error"> {
    switch (decision.type) {
      case "done":
      case "request_approval":
        return { status: 200 };
      case "failed":
        return { status: statusOfFailure(decision.code), error: decision };
      case "call_model":
      case "invoke_tool":
      case "invoke_skill": {
        const error = this.#missing ?? overError(this.signal, this.reader ? REST_OF_CHAT : REST_OF_RUN);
        return { status: statusOfError(error.code), error };
      }
    }
  }
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
