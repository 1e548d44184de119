/** Converts a request to WebLLM's form. */
import type { ChatMessage, ModelRequest } from "../agent/ports.js";
import { isObject } from "./chat_body.js";
import { firstCharacters } from "../characters.js";

// Sampling settings by OpenAI's and llama.cpp's names, and WebLLM's; those it does not have are left out.
const SAMPLING: Readonly<Record<string, string>> = {
  temperature: "temperature",
  top_p: "top_p",
  max_tokens: "max_tokens",
  seed: "seed",
  presence_penalty: "presence_penalty",
  frequency_penalty: "frequency_penalty",
  repeat_penalty: "repetition_penalty",
};

/** Gives the body of a streamed WebLLM completion; `model` is the id of the loaded model. */
export function webLlmRequest(request: ModelRequest, model: string): Record<string, unknown> {
  const format = response_format(request);
  return {
    messages: request.messages.map(message),
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(format ? { response_format: format } : {}),
    ...(request.stop?.length ? { stop: request.stop } : {}),
    ...sampling(request.sampling ?? {}),
  };
}

function message({ role, content, tool_call_id }: ChatMessage): Record<string, unknown> {
  // WebLLM refuses a message without text.
  return { role, content: content ?? "", ...(tool_call_id === undefined ? {} : { tool_call_id }) };
}

/**
 * Gives the constraint in WebLLM's form.
 *
 * It silently ignores OpenAI's `json_schema`, and hangs on a schema that is not text.
 */
function response_format({ response_format: format, grammar }: ModelRequest): Record<string, unknown> | undefined {
  if (grammar) return { type: "grammar", grammar };
  if (!isObject(format)) return undefined;
  switch (format["type"]) {
    case "json_object":
      return { type: "json_object" };
    case "structural_tag":
      return { type: "structural_tag", structural_tag: format };
    case "json_schema":
      return { type: "json_object", schema: JSON.stringify(schemaOf(format) ?? {}) };
  }
  return undefined; // the adapter has refused what is neither of these nor plain text
}

function schemaOf(format: Record<string, unknown>): unknown {
  const { json_schema: named } = format;
  return isObject(named) ? named["schema"] : undefined;
}

const FORMATS = ["text", "json_object", "json_schema", "structural_tag"];

/** Gives the type of a constraint that WebLLM has no form for, which it would leave out without a word; else undefined. */
export function unknownFormat({ response_format: format }: ModelRequest): string | undefined {
  if (format === undefined || format === null) return undefined;
  const type = isObject(format) ? format["type"] : format;
  return FORMATS.includes(type as string) ? undefined : firstCharacters(String(JSON.stringify(type)), 60);
}

function sampling(settings: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(settings).filter(
    ([name, value]) => name in SAMPLING && value !== null && value !== undefined,
  );
  return Object.fromEntries(known.map(([name, value]) => [SAMPLING[name], value]));
}
