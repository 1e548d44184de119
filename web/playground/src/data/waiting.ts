/** What the run waits for a person to do: to approve calls, to play a tool the page has not, or to play the model. */
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

export const waiting = signal<readonly Waiting[]>([]);

let lastId = 0;

type Card =
  | Omit<WaitingApproval, "id" | "answer">
  | Omit<WaitingTool, "id" | "answer">
  | Omit<WaitingOutput, "id" | "answer">
  | Omit<WaitingStorage, "id" | "answer">;

function waitFor<Answer>(card: Card, signal: AbortSignal, words: string): Promise<Answer> {
  const id = ++lastId;
  const leave = (): void => void (waiting.value = waiting.value.filter((other) => other.id !== id));
  return new Promise((resolve, reject) => {
    const answer = (given: Answer): void => {
      leave();
      resolve(given);
    };
    signal.addEventListener("abort", () => (leave(), reject(new Error("stopped"))), { once: true });
    waiting.value = [...waiting.value, { ...card, id, answer } as Waiting];
    announce(words);
  });
}

export function askApproval(calls: readonly AskedCall[], signal: AbortSignal): Promise<Approval[]> {
  const names = calls.map((call) => call.tool).join(", ");
  return stoppedIs(waitFor<Approval[]>({ kind: "approval", calls }, signal, `Approval needed: ${names}`), () =>
    calls.map(({ call_id, key }) => ({ call_id, key, approved: false })),
  );
}

/** Runs a tool that the page does not have: the user enters its result. */
export const manualTool: RunTool = (_params, call, signal) =>
  stoppedIs(
    waitFor<ToolOutcome>({ kind: "tool", call }, signal, `You play the tool ${call.tool}: say what it returns`),
    () => ({
      ok: false,
      error: "stopped",
      error_kind: "execution",
    }),
  );

export function askOutput(request: ModelRequest, suggested: string, signal: AbortSignal): Promise<string> {
  const words = "The script has ended: say what the model says next";
  return stoppedIs(waitFor<string>({ kind: "output", request, suggested }, signal, words), () => "");
}

/** Asks what to do about a step that was not stored; a run that is stopped goes on without it, to its end. */
export function askUnstored(storedSteps: number, signal: AbortSignal): Promise<"again" | "unstored"> {
  const words = "This step could not be stored: say whether the run goes on";
  return stoppedIs(waitFor<"again" | "unstored">({ kind: "storage", storedSteps }, signal, words), () => "unstored");
}

/** A stopped run ignores the answer, but the promise must settle. */
function stoppedIs<Answer>(asked: Promise<Answer>, otherwise: () => Answer): Promise<Answer> {
  return asked.catch(otherwise);
}
