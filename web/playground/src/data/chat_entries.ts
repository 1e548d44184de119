/** The run as a conversation: questions, calls with their results, and the answer. */
import { actsOf, type ToldActs } from "../../../src/agent/acts.js";
import type {
  ApprovalEvent,
  Citation,
  CorrectionEvent,
  Event,
  FilePart,
  FinalAnswer,
  ImagePart,
  RunFailed,
  SkillEnded,
  SkillStarted,
  ToolCallEvent,
  ToolResultEvent,
  VerdictEvent,
} from "../../../src/generated/wire.js";
import { filesOf, wordsOf } from "./content_text.js";
import { DECIDED_WORDS } from "./event_words.js";
import type { Step } from "./steps.js";
import { askedModel } from "./who_answered.js";

export interface CallEntry {
  readonly kind: "call";
  readonly call_id: string;
  readonly tool: string;
  call?: ToolCallEvent;
  /** Why the core made it without asking the model; absent where the model made it. */
  decided?: string;
  /** A person was asked about it, and has not answered since if there is no `approval`. */
  asked?: boolean;
  approval?: ApprovalEvent;
  result?: ToolResultEvent;
  /** What the checks said of its output; of a call that judges, what it said. */
  verdict?: VerdictEvent;
  /** What it judges, for a call that the core made for a check: the id of a call, or `answer`. */
  judges?: string;
  /** An answer names it. */
  cited?: boolean;
}

export interface AnswerEntry {
  readonly kind: "answer";
  readonly text: string;
  /** It asks the person for something; the reply goes on from there. */
  readonly question: boolean;
  readonly cost: Cost;
  readonly decided?: string;
  /** Its line in the log. */
  readonly seq: number;
  readonly citations: readonly Citation[];
  readonly acts: ToldActs;
  /** How many results it could have cited. */
  readonly results: number;
}

export interface CorrectionEntry {
  readonly kind: "correction";
  readonly said: string;
  readonly correction: CorrectionEvent;
  /** Whether it was a tool's output that the checks rejected, and not what the model had said. */
  readonly ofOutput: boolean;
}

export interface FailedEntry {
  readonly kind: "failed";
  readonly code: string;
  readonly text: string;
  readonly seq: number;
  readonly acts: ToldActs;
  readonly cost: Cost;
  /** The calls since the question whose outputs were rejected. */
  readonly rejected: readonly CallEntry[];
}

/** What the model wrote for itself: folded, and no part of the answer. */
export interface ReasoningEntry {
  readonly kind: "reasoning";
  readonly text: string;
}

export type ChatEntry =
  | CallEntry
  | AnswerEntry
  | CorrectionEntry
  | FailedEntry
  | ReasoningEntry
  | { readonly kind: "user"; readonly text: string; readonly files: readonly (ImagePart | FilePart)[] };

/** What an exchange took from its question to its answer; undefined where the log does not say. */
export interface Cost {
  readonly ms?: number | undefined;
  /** The model that answered, by the name that its server or the page has for it. */
  readonly model?: string | undefined;
  readonly promptTokens?: number | undefined;
  readonly answerTokens?: number | undefined;
  /** How many decisions the core made without the model, and the model; undefined where the core makes none. */
  readonly decisions?: { readonly without: number; readonly byModel: number } | undefined;
}

/** Adds up what an exchange takes, event by event. */
class Meter {
  #from: number | undefined;
  #prompt: number | undefined;
  #completion: number | undefined;
  #now: number | undefined;
  #model: string | undefined;
  #asked: string | undefined;
  #isCarried = false;
  #without = 0;
  #byModel = 0;

  see(event: Event): void {
    this.#now = event.at ?? this.#now;
    this.#asked = askedModel(event, this.#asked);
    if (event.kind === "user_message") {
      this.#from = event.at;
      this.#prompt = this.#completion = undefined;
      this.#without = this.#byModel = 0;
    }
    if (event.kind === "decided" && event.reason !== "retry") this.#isCarried = true;
    if (event.kind === "decided" && DECIDED_WORDS.has(event.reason)) this.#without += 1;
    if (event.kind === "model_response") this.#byModel += 1;
    if (event.kind === "model_response") this.#model = event.model ?? this.#asked;
    if (event.kind !== "model_response" || !event.usage) return;
    const { prompt_tokens, completion_tokens } = event.usage;
    this.#prompt = (this.#prompt ?? 0) + (prompt_tokens ?? 0);
    this.#completion = (this.#completion ?? 0) + (completion_tokens ?? 0);
  }

  get cost(): Cost {
    const [from, now] = [this.#from, this.#now];
    const ms = from === undefined || now === undefined || now < from ? undefined : now - from;
    const decisions = this.#isCarried ? { without: this.#without, byModel: this.#byModel } : undefined;
    return { ms, model: this.#model, promptTokens: this.#prompt, answerTokens: this.#completion, decisions };
  }
}

export function chatEntries(steps: readonly Step[]): ChatEntry[] {
  const entries: ChatEntry[] = [];
  const calls = new Map<string, CallEntry>();
  const meter = new Meter();
  const before: Before = { said: "", results: [], rejectsOutput: false };
  for (const { lines, reasoning } of steps) {
    if (reasoning !== undefined) entries.push({ kind: "reasoning", text: reasoning });
    for (const { event } of lines) {
      meter.see(event);
      note(before, event);
      if (event.kind === "final_answer") entries.push(answerOf(event, calls, before, meter.cost));
      else if (event.kind === "run_failed") entries.push(failureOf(event, before, meter.cost));
      else add(entries, calls, event, before);
    }
  }
  return entries;
}

/** What the events before say of the next one. */
interface Before {
  /** What the model had said. */
  said: string;
  /** Why the core decides without it. */
  decided?: string;
  /** The calls since the question that have a result, the latest last. */
  results: CallEntry[];
  /** A tool's output has been rejected since the model's last one. */
  rejectsOutput: boolean;
}

function note(before: Before, event: Event): void {
  if (event.kind === "user_message") before.results = [];
  if (event.kind === "model_response") before.said = event.content ?? "";
  if (event.kind === "model_response") before.rejectsOutput = false;
  if (event.kind === "decided") before.decided = event.reason;
}

function answerOf(event: FinalAnswer, calls: ReadonlyMap<string, CallEntry>, before: Before, cost: Cost): AnswerEntry {
  const { content, question = false, citations = [], seq = -1 } = event;
  for (const { call_id } of citations) Object.assign(calls.get(call_id) ?? {}, { cited: true });
  const results = before.results.filter(({ judges, verdict }) => !judges && verdict?.verdict === "accept").length;
  const found = { citations, acts: actsOf(event), results };
  return { kind: "answer", text: content, question, cost, seq, ...found, ...decidedBy(before) };
}

/** Gives why the core makes the next move, which is said of one move only. */
function decidedBy(before: Before): { decided?: string } {
  const { decided } = before;
  delete before.decided;
  return decided !== undefined && DECIDED_WORDS.has(decided) ? { decided } : {};
}

/** A call that may have run is asked about again, whatever was said of it before. */
function askAgain(entry: CallEntry): void {
  entry.asked = true;
  delete entry.approval;
}

/** A skill is shown as the call that it is. */
function callOf({ call_id, skill, params }: SkillStarted): ToolCallEvent {
  return { kind: "tool_call", call_id, tool_name: skill, arguments: params, key: "" };
}

function resultOf({ call_id, skill, ok, output, error, error_kind }: SkillEnded): ToolResultEvent {
  const failed = error === undefined ? {} : { error: `${error_kind}: ${error}` };
  return { kind: "tool_result", call_id, tool_name: skill, ok, output, ...failed };
}

function add(entries: ChatEntry[], calls: Map<string, CallEntry>, event: Event, before: Before): void {
  const call = (call_id: string, tool: string): CallEntry => {
    const known = calls.get(call_id);
    if (known) return known;
    const fresh: CallEntry = { kind: "call", call_id, tool };
    calls.set(call_id, fresh);
    entries.push(fresh);
    return fresh;
  };
  switch (event.kind) {
    case "user_message":
      entries.push({ kind: "user", text: wordsOf(event.content), files: filesOf(event.content) });
      break;
    case "approval_request":
      askAgain(call(event.call_id, event.tool_name));
      break;
    case "tool_call":
      Object.assign(call(event.call_id, event.tool_name), { call: event }, decidedBy(before));
      if (event.checks) call(event.call_id, event.tool_name).judges = event.checks;
      break;
    case "skill_started":
      Object.assign(call(event.call_id, event.skill), { call: callOf(event) }, decidedBy(before));
      break;
    case "skill_ended":
      call(event.call_id, event.skill).result = resultOf(event);
      break;
    case "child_ended":
      call(event.call_id, event.agent).result = resultOf({ ...event, kind: "skill_ended", skill: event.agent });
      break;
    case "approval":
      call(event.call_id, "").approval = event;
      break;
    case "tool_result":
      returned(call(event.call_id ?? "", event.tool_name), event, before);
      break;
    case "verdict":
      judged(event, before, call);
      break;
    case "correction":
      entries.push({ kind: "correction", said: before.said, correction: event, ofOutput: before.rejectsOutput });
      break;
  }
}

function returned(entry: CallEntry, result: ToolResultEvent, before: Before): void {
  entry.result = result;
  before.results = [...before.results.filter((other) => other !== entry), entry];
}

/** Notes a verdict with what it is of; a verdict by a check tool also with the call of that tool, which came just now. */
function judged(event: VerdictEvent, before: Before, call: (call_id: string, tool: string) => CallEntry): void {
  const judge = before.results.at(-1);
  const byTool = event.check !== undefined && judge?.judges !== undefined;
  if (byTool) judge.verdict = event;
  const rejects = event.verdict !== "accept";
  if (!event.call_id || (byTool && !rejects)) return;
  const entry = call(event.call_id, "");
  // What other checks say of a rejected output is only logged.
  if (!isRejected(entry)) entry.verdict = event;
  before.rejectsOutput ||= rejects;
}

export function isRejected({ verdict }: CallEntry): boolean {
  return verdict !== undefined && verdict.verdict !== "accept";
}

function failureOf(event: RunFailed, before: Before, cost: Cost): FailedEntry {
  const { code, message, seq = -1 } = event;
  const rejected = before.results.filter((entry) => isRejected(entry) && !entry.judges);
  return { kind: "failed", code, text: message, seq, acts: actsOf(event), cost, rejected };
}
