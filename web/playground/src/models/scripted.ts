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

async function complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal) {
  const { outputs, next, askFirst } = script.value;
  const scripted = outputs[next];
  const content = scripted === undefined || askFirst ? await askOutput(request, scripted ?? "", signal) : scripted;
  script.value = { ...script.value, next: next + 1, askFirst: false };
  for (let at = 0; at < content.length && !signal.aborted; at += PIECE_CHARS) {
    reply.text(content.slice(at, at + PIECE_CHARS));
    await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
  }
  return { type: "model_output", content, finish_reason: "stop", model: "scripted" } as const;
}

const model: Model = { name: "scripted", complete };

export const scriptedSource: Source = {
  id: "scripted",
  title: "Scripted",
  summary: "No model: a list of outputs that you write. Nothing to download.",
  readsFiles: true,
  trouble: async () => "",
  load: async () => model,
};
