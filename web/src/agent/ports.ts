/** The ports of a run: what a host does for the core. None of them decides anything. */
import type {
  Approval,
  ApprovalCall,
  Decision,
  Message,
  ModelError,
  ModelOutput,
  ReplyEnd,
  ToolCall,
  ToolResult,
  ToolSpec,
} from "../generated/wire.js";

/** What one `call_model` decision asks of a model, its prompt ranges resolved to messages. */
export interface ModelRequest {
  messages: Message[];
  model?: string;
  /** OpenAI's `tools`, for servers that take them. */
  tools?: unknown;
  /** OpenAI's `response_format`. */
  response_format?: unknown;
  /** GBNF, for servers that take it. */
  grammar?: string;
  stop?: string[];
  /** OpenAI's and llama.cpp's names: temperature, max_tokens, ... */
  sampling?: Record<string, unknown>;
}

/** Takes a model's reply while it comes. */
export interface ReplySink {
  /** Whether the reply is over, so that nothing more of it need be read. */
  readonly isOver: boolean;
  /** Takes the next piece of text of a model that gives no chunks. */
  text(piece: string): void;
  /** Takes the JSON text of one chunk of a chat completion or of a whole one, or `[DONE]`. */
  chunk(json: string): void;
}

/** How a reply ended, as the adapter saw it; or what a model that makes its own observations came to. */
export type ModelEnd = ReplyEnd | ModelOutput | ModelError;

/** A source of completions. */
export interface Model {
  /** The name recorded in logs; never an address or a key. */
  readonly name: string;
  /**
   * Asks once and writes what comes to `reply`; gives how it ended, and never rejects for what a model or server did.
   *
   * What a failure means, and whether the model is asked again, the core decides. `signal` ends the generation early;
   * what the adapter gives then is not read: the run was cancelled, or the rest of the text matters no more.
   */
  complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal): Promise<ModelEnd>;
}

/** What a tool came to, without the call it belongs to. */
export type ToolOutcome = Omit<ToolResult, "call_id">;

/** Runs one call; what goes wrong in it is an outcome with `ok: false`, and a throw is taken as an execution error. */
export type RunTool = (params: Record<string, unknown>, call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome>;

/** A tool: its spec, which the model and the core see, and what runs. */
export interface Tool {
  readonly spec: ToolSpec;
  readonly run: RunTool;
}

/** Asks a person about calls; gives an answer for each. */
export type Approve = (calls: ApprovalCall[], signal: AbortSignal) => Promise<Approval[]>;

/** Where log lines go; settles once they are safe. `head` is the hash chain after them. */
export interface Log {
  append(lines: string, head: string): Promise<void> | void;
}

/** Told what may be shown of a model output while it comes. */
export interface Reader {
  onText?(text: string): void;
  /** A call is complete, as the model wrote it: nothing about it is checked yet, and nothing runs before its step. */
  onCall?(tool: string, params: Readonly<Record<string, unknown>>): void;
  /** So many more characters of the output have come, shown or not. */
  onProgress?(chars: number): void;
  /** What was shown of this output so far was reasoning that had begun before it; take it back. */
  onRetract?(): void;
}

/** One step: the state after it as JSON text, the messages it added, the log lines it wrote, and what is to be done. */
export interface StepTaken {
  readonly state: string;
  readonly messages: readonly Message[];
  readonly log: string;
  readonly decision: Decision;
}

/** Told what happens, as it happens; for showing it only. */
export interface Watch extends Reader {
  onStep?(step: StepTaken): void;
  onResult?(call: ToolCall, outcome: ToolOutcome): void;
}

/** Milliseconds since 1970; time is data to the core. */
export type Clock = () => number;

/** Waits before a model is asked again; settles at once when `signal` aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** The adapters of one run. */
export interface Ports {
  model: Model;
  tools?: readonly Tool[];
  /** Left out, every call that needs approval is refused. */
  approve?: Approve;
  log?: Log;
  watch?: Watch;
  clock?: Clock;
  /** Default is a timer. */
  sleep?: Sleep;
}
