/**
 * Has the model in this tab read what its first prompt begins with, while nobody waits for it: prompts have a stable
 * beginning, which the engine keeps, so the first answer comes sooner.
 *
 * Nothing of it is stored. A question stops it after the batch that is being read, and what was read by then counts.
 */
import { effect, signal } from "@preact/signals";
import { Agent } from "../../../src/agent/agent.js";
import type { Model } from "../../../src/agent/ports.js";
import { coreReady } from "../core/load_core.js";
import { chosen, modelStatus } from "../models/choice.js";
import { definitionVerdict } from "./definition.js";
import { offeredTools, withTools } from "./offered_tools.js";
import { editedDefinition } from "./preferences.js";
import { testing } from "./probe.js";
import { definitionFor, running, session } from "./run.js";

/** Whether the model reads ahead now. */
export const readingAhead = signal(false);

/** Any question that names no tool: what differs between questions stands behind the beginning. */
const QUESTION = "Why is that so?";

/** The models that run in this tab: a server's time is not ours to spend. */
const IN_TAB: readonly string[] = ["wllama", "gguf"];

/** The longest prompt that is read ahead: a longer one would keep the processor busy for minutes. */
const MOST_CHARS = 2_000;

/** Reads ahead once for each model and definition, as soon as both are there and nothing else needs the model. */
export function watchReading(): void {
  let done = "";
  let ending: AbortController | undefined;
  effect(() => {
    const status = modelStatus.value;
    // In a conversation the engine keeps the last prompt, which the next one begins with.
    const isFree = !running.value && !testing.value && session.value === undefined;
    const verdict = definitionVerdict.value;
    ending?.abort();
    ending = undefined;
    if (status.kind !== "ready") done = "";
    if (status.kind !== "ready" || !isFree || verdict.kind !== "holds" || !IN_TAB.includes(chosen.value)) return;
    const definition = withTools(
      editedDefinition.peek(),
      offeredTools.value.map(({ spec }) => spec),
    );
    if (done === definition) return;
    const own = (ending = new AbortController());
    void readAhead(status.model, definition, own.signal).then((isRead) => {
      if (isRead) done = definition;
    });
  });
}

/** Gives whether the model has read it, or has nothing to read. */
async function readAhead(model: Model, edited: string, signal: AbortSignal): Promise<boolean> {
  readingAhead.value = true;
  try {
    const core = await coreReady();
    const asked = new Agent(
      core,
      { model: readingOnly(model, () => asked.cancel("read"), signal) },
      await definitionFor(edited, model),
    );
    if (!signal.aborted) await asked.ask(QUESTION);
    return !signal.aborted;
  } catch {
    return true; // the first question will say what is wrong
  } finally {
    readingAhead.value = false;
  }
}

/** Gives a model that reads one prompt and writes one token of the answer, then ends the run. */
function readingOnly(model: Model, end: () => void, signal: AbortSignal): Model {
  return {
    name: model.name,
    async complete({ model: _, ...request }, reply, own) {
      const chars = request.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
      const sampling = { ...request.sampling, max_tokens: 1 };
      const ended =
        chars > MOST_CHARS
          ? ({ type: "model_error", code: "unavailable", message: "", retryable: false } as const)
          : await model.complete({ ...request, sampling }, reply, AbortSignal.any([signal, own]));
      end();
      return ended;
    },
  };
}
