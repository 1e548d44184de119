/** What the run waits for a person to do: to approve calls, to play a tool the page has not, or to play the model. */
import type { Signal } from "@preact/signals";
import { signal } from "@preact/signals";
import type { AskedCall, DueCall, ModelRequest, RunTool, ToolOutcome } from "../../../src/agent/ports.js";
import type { Approval } from "../../../src/generated/wire.js";
import { announce } from "./notices.js";

interface Asked<Answer> {
  readonly id: number;
  /** Answers, which removes the card and continues the run. */
  readonly answer: (answer: Answer) => void;
}

export interface WaitingApproval extends Asked<Approval[]> {
  readonly kind: "approval";
  readonly calls: readonly AskedCall[];
  /** The definition of the run that asks; absent for the run on show. */
  readonly definition?: string;
}

export interface WaitingTool extends Asked<ToolOutcome> {
  readonly kind: "tool";
  readonly call: DueCall;
}

export interface WaitingOutput extends Asked<string> {
  readonly kind: "output";
  readonly request: ModelRequest;
  /** What the script would say here. */
  readonly suggested: string;
}

/** A step that the browser has not stored, of a run whose steps before are. */
export interface WaitingStorage extends Asked<"again" | "unstored"> {
  readonly kind: "storage";
  /** How many steps are stored: a later visit goes on from there. */
  readonly storedSteps: number;
}

export type Waiting = WaitingApproval | WaitingTool | WaitingOutput | WaitingStorage;

/** What one run waits for, and how it asks for it. */
export interface WaitingList {
  readonly cards: Signal<readonly Waiting[]>;
  readonly askApproval: (calls: readonly AskedCall[], signal: AbortSignal) => Promise<Approval[]>;
  /** Runs a tool that the page does not have: the user enters its result. */
  readonly manualTool: RunTool;
  readonly askOutput: (request: ModelRequest, suggested: string, signal: AbortSignal) => Promise<string>;
}

/** What the run on show waits for. */
export const waiting = signal<readonly Waiting[]>([]);

let lastId = 0;

type Card =
  | Omit<WaitingApproval, "id" | "answer">
  | Omit<WaitingTool, "id" | "answer">
  | Omit<WaitingOutput, "id" | "answer">
  | Omit<WaitingStorage, "id" | "answer">;

function waitFor<Answer>(
  cards: Signal<readonly Waiting[]>,
  card: Card,
  signal: AbortSignal,
  words: string,
): Promise<Answer> {
  const id = ++lastId;
  const leave = (): void => void (cards.value = cards.value.filter((other) => other.id !== id));
  return new Promise((resolve, reject) => {
    const answer = (given: Answer): void => {
      leave();
      resolve(given);
    };
    signal.addEventListener("abort", () => (leave(), reject(new Error("stopped"))), { once: true });
    cards.value = [...cards.value, { ...card, id, answer } as Waiting];
    announce(words);
  });
}

/** Makes the list of a run; definition: of a run that is not the one on show. */
export function waitingList(cards: Signal<readonly Waiting[]>, definition?: string): WaitingList {
  const of = definition === undefined ? {} : { definition };
  return {
    cards,
    askApproval: (calls, signal) => {
      const words = `Approval needed: ${calls.map((call) => call.tool).join(", ")}`;
      return stoppedIs(waitFor<Approval[]>(cards, { kind: "approval", calls, ...of }, signal, words), () =>
        calls.map(({ call_id, key }) => ({ call_id, key, approved: false })),
      );
    },
    manualTool: (_params, call, signal) => {
      const words = `You play the tool ${call.tool}: say what it returns`;
      return stoppedIs(waitFor<ToolOutcome>(cards, { kind: "tool", call }, signal, words), () => ({
        ok: false,
        error: "stopped",
        error_kind: "execution",
      }));
    },
    askOutput: (request, suggested, signal) => {
      const words = "The script has ended: say what the model says next";
      return stoppedIs(waitFor<string>(cards, { kind: "output", request, suggested }, signal, words), () => "");
    },
  };
}

export const { askApproval, manualTool, askOutput } = waitingList(waiting);

/** Asks what to do about a step that was not stored; a run that is stopped goes on without it, to its end. */
export function askUnstored(storedSteps: number, signal: AbortSignal): Promise<"again" | "unstored"> {
  const words = "This step could not be stored: say whether the run goes on";
  return stoppedIs(
    waitFor<"again" | "unstored">(waiting, { kind: "storage", storedSteps }, signal, words),
    () => "unstored",
  );
}

/** A stopped run ignores the answer, but the promise must settle. */
function stoppedIs<Answer>(asked: Promise<Answer>, otherwise: () => Answer): Promise<Answer> {
  return asked.catch(otherwise);
}
