/** The ports of a run: what a host does for the core. None of them decides anything. */
import type {
  Approval,
  ApprovalCall,
  Message,
  ModelError,
  ModelOutput,
  ToolCall,
  ToolResult,
  ToolSpec,
} from "../generated/wire.js";
import type { StepTaken } from "./agent.js";

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

/** A source of completions. */
export interface Model {
  /** The name recorded in logs; never an address or a key. */
  readonly name: string;
  /**
   * Gives what the model said, or why it said nothing; never rejects for what a model or a server did.
   *
   * `onText` gets each new piece of text; `signal` ends the generation early, which gives a `model_error` or what
   * was said so far, whatever the adapter has: the run that aborted it, because it was cancelled or because the rest
   * of the text matters no more, does not read it.
   */
  complete(
    request: ModelRequest,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<ModelOutput | ModelError>;
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
  /** What was shown of this output so far was reasoning that had begun before it; take it back. */
  onRetract?(): void;
}

/** Told what happens, as it happens; for showing it only. */
export interface Watch extends Reader {
  onStep?(step: StepTaken): void;
  onResult?(call: ToolCall, outcome: ToolOutcome): void;
}

/** Milliseconds since 1970; time is data to the core. */
export type Clock = () => number;

/** The adapters of one run. */
export interface Ports {
  model: Model;
  tools?: readonly Tool[];
  /** Left out, every call that needs approval is refused. */
  approve?: Approve;
  log?: Log;
  watch?: Watch;
  clock?: Clock;
}
