/** What `Agent.stream` yields: the events of a run, with the names that they have in Python; and what makes them. */
import type { Done, ToolCall } from "../generated/wire.js";
import type { ToldActs } from "./acts.js";
import type { ArgumentsText, AskedCall, DueCall, StepTaken, ToolOutcome, Watcher } from "./ports.js";

/** How an exchange stands at its end. */
export type RunStatus = "done" | "failed" | "waiting";

/** The next piece of the answer; pieces are only ever added to. */
export interface TextPiece {
  readonly type: "text";
  readonly text: string;
}

/** The text since the last output is not the answer: remove it. */
export interface TextRetracted {
  readonly type: "retract";
}

/** The next piece of what the model wrote for itself: never part of the answer. */
export interface ReasoningPiece {
  readonly type: "reasoning";
  readonly text: string;
}

/** A call begins: checked, and approved where that is needed. */
export interface CallStarted extends ArgumentsText {
  readonly type: "call";
  readonly call_id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A call came back: with its output, or with an error. */
export interface CallReturned extends ToolOutcome {
  readonly type: "result";
  readonly call_id: string;
  readonly tool: string;
}

/** These calls wait for a person. */
export interface ApprovalAsked {
  readonly type: "approval";
  readonly calls: readonly AskedCall[];
}

/** The exchange is over: done with an answer, failed with a code and a message, or waiting for approvals. */
export interface RunEnded extends ToldActs {
  readonly type: "done";
  readonly status: RunStatus;
  readonly answer?: string;
  /** The answer as data, where the definition has an `answer_schema`. */
  readonly data?: unknown;
  readonly citations?: Done["citations"];
  /** The answer asks the user for something, and the next message goes on from there. */
  readonly question?: boolean;
  readonly code?: string;
  readonly message?: string;
}

export type AgentEvent =
  TextPiece | TextRetracted | ReasoningPiece | CallStarted | CallReturned | ApprovalAsked | RunEnded;

/** Takes the events of a run. */
export type OnEvent = (event: AgentEvent) => void;

/** Makes events of what a watcher is told. */
export class EventWatcher implements Watcher {
  #hasText = false;

  constructor(readonly tell: OnEvent) {}

  onText(text: string): void {
    this.#hasText = true;
    this.tell({ type: "text", text });
  }

  onReasoning(text: string): void {
    this.tell({ type: "reasoning", text });
  }

  onRetract(): void {
    this.#hasText = false;
    this.tell({ type: "retract" });
  }

  /** Takes text back that turned out not to be the answer. */
  onStep({ decision }: StepTaken): void {
    if (this.#hasText && decision.type !== "done") this.tell({ type: "retract" });
    this.#hasText = false;
  }

  onCalls(calls: readonly DueCall[]): void {
    for (const { call_id, tool, params, params_json } of calls)
      this.tell({ type: "call", call_id, tool, params, params_json });
  }

  onResult({ call_id, tool }: ToolCall, outcome: ToolOutcome): void {
    this.tell({ type: "result", call_id, tool, ...outcome });
  }

  onAsked(calls: readonly AskedCall[]): void {
    this.tell({ type: "approval", calls });
  }
}
