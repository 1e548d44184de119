/** The ports of a run: the I/O that a host performs for the core. None of them decides anything. */
import type {
  Approval,
  ApprovalCall,
  Decision,
  Message,
  ModelError,
  ModelOutput,
  ModelProfile,
  ReplyEnd,
  ScoredChoice,
  ToolCall,
  ToolResult,
  ToolSpec,
} from "../generated/wire.js";
import type { AttachmentStore } from "./attachments.js";
import type { AnyTool } from "./sub_agents.js";
import type { RankTools } from "./tool_ranking.js";

/** A part of a message as OpenAI's servers take it; images and files are data URLs, sounds base64. */
export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "input_audio"; input_audio: { data: string; format: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

/** A message as OpenAI's servers take it. */
export type ChatMessage = Omit<Message, "content"> & { content?: string | ChatPart[] | null };

/** What one `call_model` decision asks of a model, its prompt ranges resolved to messages. */
export interface ModelRequest {
  messages: ChatMessage[];
  model?: string;
  /** OpenAI's `tools`, for servers that take them. */
  tools?: unknown;
  /** OpenAI's `tool_choice`, beside tools. */
  tool_choice?: unknown;
  /** OpenAI's `response_format`. */
  response_format?: unknown;
  /** GBNF, for servers that take it. */
  grammar?: string;
  stop?: string[];
  /** OpenAI's and llama.cpp's names: temperature, max_tokens, ... */
  sampling?: Record<string, unknown>;
  /** Texts that are to be scored, instead of a reply. */
  choices?: readonly ScoredChoice[];
  /** Members that the server has refused, which no model adds of its own accord. */
  without?: readonly string[];
  /** Whether the reply is to have the log-probabilities of its tokens. */
  logprobs?: boolean;
}

/** Takes a model's reply while it is generated. */
export interface ReplySink {
  /** Whether the reply is over, so that its rest need not be read. */
  readonly isOver: boolean;
  /** Takes the next piece of text, for a model that gives no chunks. */
  text(piece: string): void;
  /** Takes the JSON text of one chunk of a chat completion or of a whole one, or `[DONE]`. */
  chunk(json: string): void;
  /** Takes how much of the prompt the model has read, for a model that tells; for display only. */
  promptRead?(progress: PromptProgress): void;
}

/** How much of a prompt a model has read before it writes, in tokens; what it had read before counts as read. */
export interface PromptProgress {
  readonly readTokens: number;
  readonly totalTokens: number;
}

/** How a reply ended, as the adapter saw it, or the observation of a model that makes its own. */
export type ModelEnd = ReplyEnd | ModelOutput | ModelError;

/** A source of completions. */
export interface Model {
  /** The name recorded in logs; never an address or a key. */
  readonly name: string;
  /**
   * How many tokens prompt and answer may have together, where the host knows it; it does not change later.
   *
   * The run's definition gets it where it names no window, and the core keeps prompts within it.
   */
  readonly windowTokens?: number | undefined;
  /**
   * Whether the log-probabilities of `choices` can be had of it; it does not change later.
   *
   * A run that routes for the model then asks it which tool is meant, where the words leave that open.
   */
  readonly scores?: boolean | undefined;
  /**
   * How its server wants to be asked, or the name of that in the core's table; it does not change later.
   *
   * `server` is any server: it is given the tools, and gives calls apart from the text.
   */
  readonly profile?: ModelProfile["profile"] | undefined;
  /** What its server has refused of requests before, as the core says in `without`: told with each message. */
  readonly refused?: readonly string[] | undefined;
  /**
   * What a reply of it can be held to, where the adapter knows it; it does not change later.
   *
   * A definition that names neither a dialect nor models gets it, with the dialect `envelope`.
   */
  readonly supports?: NonNullable<ModelProfile["supports"]> | undefined;
  /**
   * How it was taught to be asked, and which weights it has, where the host knows it; it does not change later.
   *
   * A definition that names neither a dialect nor models gets the form, and the log has the weights in any case.
   */
  readonly taught?: Omit<ModelProfile, "name"> | undefined;
  /**
   * Gives the parameters that are sent for a request, for the log, where they are not those of a chat completion.
   *
   * Messages and tools are none, and `model` is the name that is asked for.
   */
  parameters?(request: ModelRequest): Record<string, unknown>;
  /**
   * Asks once, writes the reply to `reply` and gives how it ended; never rejects for what a model or server did.
   *
   * The core interprets failures and decides on retries. `signal` stops the generation; the adapter's result is then
   * ignored, because the run was cancelled or the rest of the text cannot change the decision.
   */
  complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal): Promise<ModelEnd>;
}

/** The result of a tool, without its call's id. */
export type ToolOutcome = Omit<ToolResult, "call_id"> & {
  /** It goes on elsewhere, and has no result yet; what `later` gives becomes that. */
  readonly pending?: { readonly handle: string; readonly note?: string };
};

/** The arguments of a call as the core and the log write them: what to show, and to pass on. */
export interface ArgumentsText {
  readonly params_json: string;
}

/** Which agent it is of that a run calls: the names of the agents down to it, and its run; neither for the run itself. */
export interface AgentPlace {
  readonly path?: readonly string[];
  readonly run_id?: string;
}

/** A call to run. */
export interface DueCall extends ToolCall, ArgumentsText, AgentPlace {}

/**
 * Runs one call; whole numbers in its arguments past 2^53 - 1 are BigInts.
 *
 * A failure is an outcome with `ok: false`, and an exception counts as an execution error.
 */
export type RunTool = (params: Record<string, unknown>, call: DueCall, signal: AbortSignal) => Promise<ToolOutcome>;

/** A tool: its spec, which the model and the core see, and its function. */
export interface Tool {
  readonly spec: ToolSpec;
  readonly run: RunTool;
}

/** A call to ask a person about. */
export interface AskedCall extends Omit<ApprovalCall, "path">, ArgumentsText, AgentPlace {}

/** Asks a person about calls; gives an answer for each, or for some: then it is asked about the others. */
export type Approver = (calls: AskedCall[], signal: AbortSignal) => Promise<Approval[]>;

/** Stores log lines; settles once they are durable. `head` is the hash chain after them. */
export interface Log {
  append(lines: string, head: string): Promise<void> | void;
}

/** Receives what of a model output may be shown, while it is generated. */
export interface OutputWatcher {
  onText?(text: string): void;
  /** More of the reasoning, which is no part of the answer: show it apart, or not at all. */
  onReasoning?(text: string): void;
  /** A call is complete, as the model wrote it; it is not validated yet and runs only after its step. */
  onCall?(tool: string, params: Readonly<Record<string, unknown>>): void;
  /** The model has read so much of the prompt; told only by models that know. */
  onPromptRead?(progress: PromptProgress): void;
  /** This many more characters of the output were received, shown or not. */
  onProgress?(chars: number): void;
  /** All text of this output so far was reasoning; remove it. It comes again as reasoning. */
  onRetract?(): void;
}

/** A decision, also as JSON. */
export interface OpenDecision {
  readonly decision: Decision;
  readonly decision_json: string;
}

/** What a step has of the agents that the run calls. */
export interface TreeStep {
  /** What else the run and its agents ask for at the same time, each with its `path` and `run_id`. */
  readonly also: readonly OpenDecision[];
  /** The messages that it added to the agents' transcripts, by the ids of their runs. */
  readonly children: Readonly<Record<string, readonly Message[]>>;
}

/** One step: the state after it as JSON text, the messages it added, the log lines it wrote, and the next decision. */
export interface StepTaken extends OpenDecision, TreeStep {
  readonly state: string;
  readonly messages: readonly Message[];
  readonly log: string;
}

/**
 * Receives what happens in a run, for display only: what it throws goes to the console, and the run goes on.
 *
 * Calls of agents that it calls have a `path`.
 */
export interface Watcher extends OutputWatcher {
  /** Gives what receives the next output of an agent that the run calls; without it such outputs are not shown. */
  below?(place: AgentPlace): OutputWatcher;
  onStep?(step: StepTaken): void;
  /** These calls begin. */
  onCalls?(calls: readonly DueCall[]): void;
  onResult?(call: DueCall, outcome: ToolOutcome): void;
  /** These calls wait for a person. */
  onAsked?(calls: readonly AskedCall[]): void;
  /** A person has answered; the core has not checked the answers yet. */
  onAnswered?(approvals: readonly Approval[]): void;
}

/** Milliseconds since 1970; time is data to the core. */
export type Clock = () => number;

/** Waits before a model is asked again; settles at once when `signal` aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** The adapters of one run. */
export interface Ports {
  model: Model;
  /** Other agents may be among them: each is called with a question, and has its own model and tools. */
  tools?: readonly AnyTool[];
  /** Scores these where a model finds most of them, beside the core's order by words; not for a definition given as text. */
  toolsRankedBy?: RankTools;
  /** If absent, `ask` has every call refused that needs approval, and `stream` stops there. */
  approve?: Approver;
  log?: Log;
  /** Keeps the images and files of user messages; default is memory. */
  attachments?: AttachmentStore;
  watch?: Watcher;
  clock?: Clock;
  /** Default is a timer. */
  sleep?: Sleep;
}
