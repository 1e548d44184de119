"use client";
/** What the components say: English, or the words of the page that shows them. */
import { createContext, type ReactNode, useContext } from "react";

/** Every text that a component shows or has read out; what a model, a tool or a person said is never among them. */
export interface ChatWords {
  readonly conversation: string;
  readonly message: string;
  readonly send: string;
  readonly stop: string;
  readonly you: string;
  readonly agent: string;
  readonly writing: string;
  /** Why there is no answer, before the message of the failure. */
  readonly failed: string;
  /** The question that opens the card of calls that wait. */
  readonly mayRun: (calls: number) => string;
  readonly approve: string;
  readonly refuse: string;
  readonly reason: string;
  readonly edit: string;
  readonly unreadable: string;
  /** Why a person is asked: `note` of the definition, or this for the code of a reason. */
  readonly asking: Readonly<Record<string, string>>;
  /** Whose text an argument is: of the user, of data beside the message, of a result, or worded by the model. */
  readonly origins: OriginWords;
  /** The same where text from outside may have led to it. */
  readonly outside: OriginWords;
  readonly steps: string;
  /** What became of a call, before its name. */
  readonly calls: Readonly<Record<"asked" | "approved" | "refused" | "running" | "done" | "failed", string>>;
  readonly arguments: string;
  /** What stands for the path of an argument where all of a call is meant. */
  readonly wholeCall: string;
  readonly result: string;
  readonly acts: string;
  readonly noActs: string;
  /** How an act ended, behind it. */
  readonly ends: Readonly<Record<"failed" | "refused" | "unknown", string>>;
  readonly more: (acts: number) => string;
}

/** Whose text an argument is; a result is named by its tool. */
export type OriginWords = Readonly<Record<"user" | "data" | "model", string>> & {
  readonly result: (tool: string) => string;
};

/** The words of a component that nobody gave others. */
export const ENGLISH: ChatWords = {
  conversation: "Conversation",
  message: "Message",
  send: "Send",
  stop: "Stop",
  you: "You",
  agent: "Agent",
  writing: "The agent works",
  failed: "There is no answer",
  mayRun: (calls) => (calls === 1 ? "May this run?" : `May these ${calls} calls run?`),
  approve: "Approve and run",
  refuse: "Refuse",
  reason: "Reason, or what to do instead",
  edit: "Edit the arguments",
  unreadable: "These arguments are no JSON object: mend them, or refuse the call.",
  asking: {
    outcome_unknown: "It may have run already: the run was stopped before its result came.",
    same_effect: "The same call has been made for this question already.",
  },
  origins: {
    user: "your words",
    data: "what came with your words",
    model: "worded by the model",
    result: (tool) => `from ${tool}`,
  },
  outside: {
    user: "your words, among text from outside",
    data: "text from outside, which came with your words",
    model: "worded by the model, having read text from outside",
    result: (tool) => `text from outside, which ${tool} read`,
  },
  steps: "Steps",
  calls: {
    asked: "wants",
    approved: "may run",
    refused: "may not run",
    running: "runs",
    done: "ran",
    failed: "failed at",
  },
  arguments: "Arguments",
  wholeCall: "the call",
  result: "Result",
  acts: "Changed",
  noActs: "Changed nothing",
  ends: { failed: "failed", refused: "refused", unknown: "nobody knows whether it ran" },
  more: (acts) => `and ${acts} more`,
};

const Words = createContext(ENGLISH);

/** Gives the components inside of it other words; those that are left out stay English. */
export function WordsProvider({ words, children }: { words: Partial<ChatWords>; children: ReactNode }) {
  return <Words.Provider value={{ ...ENGLISH, ...words }}>{children}</Words.Provider>;
}

export function useWords(): ChatWords {
  return useContext(Words);
}
