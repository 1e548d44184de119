/** What WebLLM's errors mean to a run, by their names: across a worker they arrive as `Name: text`. */
import type { ModelError } from "../generated/wire.js";
import { detail, model_error, overflow } from "./faults.js";
import { thrown } from "./in_page.js";

// What is wrong with the request itself: asking again changes nothing.
const REFUSED = new Set([
  "AttentionSinkSizeError",
  "ConfigValueError",
  "ContentTypeError",
  "CustomResponseFormatError",
  "CustomSystemPromptError",
  "DependencyError",
  "GrammarMatcherInitError",
  "InvalidResponseFormatError",
  "InvalidResponseFormatGrammarError",
  "InvalidStreamOptionsError",
  "MessageOrderError",
  "MinValueError",
  "NonNegativeError",
  "RangeError",
  "SeedTypeError",
  "SpecifiedModelNotFoundError",
  "StreamingCountError",
  "SystemMessageOrderError",
  "UnclearModelToUseError",
  "UnsupportedFieldsError",
  "UnsupportedModelIdError",
  "UnsupportedRoleError",
  "UserMessageContentErrorForNonVLM",
]);

// The engine is not what it was: it has to be loaded anew.
const LOST = new Set(["EngineNotLoadedError", "ModelNotLoadedError", "WorkerEngineModelNotLoadedError"]);

/** Gives the observation for an error of a generation, and whether the engine has to be loaded anew. */
export function webLlmFault(error: unknown, shown: string): { observation: ModelError; lost?: boolean } {
  const { name, text } = thrown(error);
  if (name === "ContextWindowSizeExceededError") {
    const [, used] = /prompt tokens: (\d+)/.exec(text) ?? [];
    const [, limit] = /window size: (\d+)/.exec(text) ?? [];
    return { observation: overflow(used, limit) };
  }
  if (name === "DeviceLostError" || /device (?:was |is )?lost/i.test(text)) {
    const advice = "This is mostly for want of memory: close other pages, or choose a smaller model.";
    return { observation: model_error("unavailable", `${shown} lost the graphics card. ${advice}`, false), lost: true };
  }
  if (LOST.has(name)) {
    return {
      observation: model_error("unavailable", `${shown} is not loaded any more. Try again: it will be loaded.`, true),
      lost: true,
    };
  }
  if (REFUSED.has(name)) {
    const said = `${shown} refused the request (${name})${detail(text)}. Check the model and its options.`;
    return { observation: model_error("refused", said, false) };
  }
  const kind = name || "no name given";
  return { observation: model_error("unavailable", `${shown} failed (${kind})${detail(text)}. Try again.`, true) };
}
