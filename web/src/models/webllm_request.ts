/** Converts a request to WebLLM's form. */
import type { ModelRequest } from "../agent/ports.js";
import type { Message } from "../generated/wire.js";
import { isObject } from "./chat_body.js";

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

function message({ role, content, tool_call_id }: Message): Record<string, unknown> {
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
  if (format["type"] === "json_object") return { type: "json_object" };
  if (format["type"] !== "json_schema" || !isObject(format["json_schema"])) return undefined;
  return { type: "json_object", schema: JSON.stringify(format["json_schema"]["schema"] ?? {}) };
}

function sampling(settings: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(settings).filter(
    ([name, value]) => name in SAMPLING && value !== null && value !== undefined,
  );
  return Object.fromEntries(known.map(([name, value]) => [SAMPLING[name], value]));
}
