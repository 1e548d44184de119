/**
 * A model that is a list of outputs, typed by the user: nothing is downloaded, and a run is reproducible.
 *
 * After the last output, or in a fork, the page asks for the next output.
 */
import { signal } from "@preact/signals";
import type { Model, ModelRequest, ReplySink } from "../../../src/agent/ports.js";
import { askOutput } from "../data/waiting.js";
import type { Source } from "./source.js";

export interface Script {
  readonly outputs: readonly string[];
  /** The index of the output that comes next. */
  readonly next: number;
  /** After a fork: the next output is shown before it is said, to be changed. */
  readonly askFirst: boolean;
}

export const script = signal<Script>({ outputs: [], next: 0, askFirst: false });

export function setOutputs(outputs: readonly string[]): void {
  script.value = { ...script.value, outputs };
}

export function continueScriptAfter(outputsSaid: number, askFirst: boolean): void {
  script.value = { ...script.value, next: outputsSaid, askFirst };
}

// Small and quick enough to look like a model that writes, and over in a moment.
const PIECE_CHARS = 6;
const PIECE_MS = 12;

/** Says an output, or asks the person for it where there is none, and after a fork. */
async function say(scripted: string | undefined, request: ModelRequest, reply: ReplySink, signal: AbortSignal) {
  const isAsked = scripted === undefined || script.value.askFirst;
  const content = isAsked ? await askOutput(request, scripted ?? "", signal) : scripted;
  script.value = { ...script.value, next: script.value.next + 1, askFirst: false };
  return written(content, reply, signal);
}

async function written(content: string, reply: ReplySink, signal: AbortSignal) {
  for (let at = 0; at < content.length && !signal.aborted; at += PIECE_CHARS) {
    reply.text(content.slice(at, at + PIECE_CHARS));
    await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
  }
  return { type: "model_output", content, finish_reason: "stop", model: "scripted" } as const;
}

const model: Model = {
  name: "scripted",
  complete: (request, reply, signal) => say(script.value.outputs[script.value.next], request, reply, signal),
};

/** Gives a model that says the outputs of one run; said: how many of them it has said, whenever it is asked. */
export function playedModel(outputs: readonly string[], said: () => number): Model {
  return { ...model, complete: (request, reply, signal) => say(outputs[said()], request, reply, signal) };
}

/** Gives a model that says the outputs in a run that is not the one on show; ask: for what comes after the last one. */
export function playedBeside(outputs: readonly string[], said: () => number, ask: typeof askOutput): Model {
  return {
    ...model,
    complete: async (request, reply, signal) =>
      written(outputs[said()] ?? (await ask(request, "", signal)), reply, signal),
  };
}

export const scriptedSource: Source = {
  id: "scripted",
  title: "Scripted",
  summary: "No model: a list of outputs that you write. Nothing to download.",
  readsFiles: true,
  trouble: async () => "",
  load: async () => model,
};
