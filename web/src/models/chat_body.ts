/** The body of a streamed OpenAI chat completion, which llama.cpp takes in the page too. */
import type { ModelRequest } from "../agent/ports.js";
import { samplingFor } from "./sampling.js";

/** Gives the body for `request`; `grammar` (GBNF) is llama.cpp's extension and is left out when there is none. */
export function chatBody(request: ModelRequest, model: string): Record<string, unknown> {
  const { messages, tools, tool_choice, response_format, grammar, stop, sampling } = request;
  const optional = Object.entries({ tools, tool_choice, response_format, grammar, stop }).filter(([, value]) =>
    saysSomething(value),
  );
  const asked = request.model || model;
  return {
    model: asked,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...Object.fromEntries(optional),
    ...samplingFor(asked, sampling ?? {}),
  };
}

/** Tells whether a value is an object with members, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function saysSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
