/** Measures how fast the model writes, from the outputs of a run that is made here. */
import { effect } from "@preact/signals";
import type { Event } from "../../../src/generated/wire.js";
import { chosen, modelStatus } from "../models/choice.js";
import { noteSpeed } from "../models/speed.js";
import { branch, running } from "./run.js";

/** Fewer tokens come in one piece from some engines, and say nothing of the pace. */
const LEAST_TOKENS = 8;

/** Notes the pace of each new output that the chosen model has written. */
export function watchSpeed(): void {
  effect(() => {
    const event = branch.value?.steps.at(-1)?.lines[0]?.event;
    const status = modelStatus.peek();
    if (!running.peek() || status.kind !== "ready" || chosen.peek() === "scripted") return;
    const tokensPerSecond = event && paceOf(event);
    if (tokensPerSecond !== undefined) noteSpeed(chosen.peek(), { model: status.model.name, tokensPerSecond });
  });
}

/** Gives the tokens a second after the first one; undefined where the log does not tell, or tells of too few. */
function paceOf(event: Event): number | undefined {
  if (event.kind !== "model_response" || !event.usage?.completion_tokens) return undefined;
  const [tokens, from, to] = [event.usage.completion_tokens, event.first_token_at, event.at];
  if (tokens < LEAST_TOKENS || !from || !to || to <= from) return undefined;
  return ((tokens - 1) * 1000) / (to - from);
}
