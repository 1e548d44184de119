/** What `Agent.stream` yields: the events of a run, with the names that they have in Python; and what makes them. */
import type { Done } from "../generated/wire.js";
import type { ToldActs } from "./acts.js";
import { type AgentCall, callsOfStep } from "./agent_calls.js";
import type {
  AgentPlace,
  ArgumentsText,
  AskedCall,
  DueCall,
  OutputWatcher,
  StepTaken,
  ToolOutcome,
  Watcher,
} from "./ports.js";

/** How an exchange stands at its end. */
export type RunStatus = "done" | "failed" | "waiting";

/** The next piece of the answer, or with a `path` of what that agent says; pieces are only ever added to. */
export interface TextPiece extends AgentPlace {
  readonly type: "text";
  readonly text: string;
}

/** The text since the last output is not the answer: remove it. What an agent said comes as the result of its call. */
export interface TextRetracted extends AgentPlace {
  readonly type: "retract";
}

/** The next piece of what the model wrote for itself: never part of the answer. */
export interface ReasoningPiece extends AgentPlace {
  readonly type: "reasoning";
  readonly text: string;
}

/** A call begins: checked, and approved where that is needed; of a tool, or of another agent. */
export interface CallStarted extends ArgumentsText, AgentPlace {
  readonly type: "call";
  readonly call_id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A call came back: with its output, or with an error. */
export interface CallReturned extends ToolOutcome, AgentPlace {
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
  /** Of whom text is shown that may not be the answer. */
  readonly #said = new Map<string | undefined, AgentPlace>();
  /** The calls of agents that go on. */
  #agents: readonly AgentCall[] = [];

  constructor(readonly tell: OnEvent) {}

  readonly onText = this.#outputOf({}).onText;
  readonly onReasoning = this.#outputOf({}).onReasoning;
  readonly onRetract = this.#outputOf({}).onRetract;

  below(place: AgentPlace): OutputWatcher {
    return this.#outputOf(place);
  }

  #outputOf(place: AgentPlace): Required<Pick<OutputWatcher, "onText" | "onReasoning" | "onRetract">> {
    return {
      onText: (text) => {
        this.#said.set(place.run_id, place);
        this.tell({ type: "text", text, ...place });
      },
      onReasoning: (text) => this.tell({ type: "reasoning", text, ...place }),
      onRetract: () => {
        this.#said.delete(place.run_id);
        this.tell({ type: "retract", ...place });
      },
    };
  }

  /** Takes text back that turned out not to be the answer, and tells which agents were called and have ended. */
  onStep(step: StepTaken): void {
    for (const [runId, place] of this.#said)
      if (runId !== undefined || step.decision.type !== "done") this.tell({ type: "retract", ...place });
    this.#said.clear();
    const { begun, ended, open } = callsOfStep(step, this.#agents);
    this.#agents = open;
    for (const { call_id, tool, outcome, place } of ended)
      this.tell({ type: "result", call_id, tool, ...outcome, ...place });
    for (const { call_id, tool, params, params_json, place } of begun)
      this.tell({ type: "call", call_id, tool, params, params_json, ...place });
  }

  onCalls(calls: readonly DueCall[]): void {
    for (const { call_id, tool, params, params_json, ...call } of calls)
      this.tell({ type: "call", call_id, tool, params, params_json, ...placeIn(call) });
  }

  onResult({ call_id, tool, ...call }: DueCall, outcome: ToolOutcome): void {
    this.tell({ type: "result", call_id, tool, ...outcome, ...placeIn(call) });
  }

  onAsked(calls: readonly AskedCall[]): void {
    this.tell({ type: "approval", calls });
  }
}

function placeIn({ path, run_id }: AgentPlace): AgentPlace {
  return path && run_id !== undefined ? { path, run_id } : {};
}
