/** The body of a streamed OpenAI chat completion, which llama.cpp takes in the page too. */
import type { ModelRequest } from "../agent/ports.js";
import type { ScoredChoice } from "../generated/wire.js";

/** Gives the body for `request`; `grammar` (GBNF) is llama.cpp's extension and is left out when there is none, as is what scores `choices`. */
export function chatBody(request: ModelRequest, model: string): Record<string, unknown> {
  const { messages, tools, tool_choice, response_format, grammar, stop, sampling, choices, logprobs, without } =
    request;
  const optional = Object.entries({ tools, tool_choice, response_format, grammar, stop }).filter(([, value]) =>
    saysSomething(value),
  );
  const asked = request.model || model;
  const body = {
    model: asked,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...Object.fromEntries(optional),
    ...(choices?.length ? scoring(choices) : present(sampling ?? {})),
    // Of each token its own: without a number llama.cpp tells twenty others beside it.
    ...(logprobs && { logprobs: true, top_logprobs: 1 }),
  };
  if (!without) return body;
  // What is told of a stream goes with it.
  const leftOut = new Set(without.includes("stream") ? [...without, "stream_options"] : without);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !leftOut.has(name)));
}

/** Gives what a request says beside its messages and tools, as a chat completion, for the log. */
export function sentParameters(request: ModelRequest, model: string): Record<string, unknown> {
  return chatBody({ ...request, messages: [], tools: undefined }, model);
}

/** Logits that lift the choices above every other token, and leave the distances between them as they are. */
const BIAS = 100;
/** Tokens that a choice may be made of: the bias lifts all of them. */
const PIECES = 6;

/** Gives what has llama.cpp give the probabilities of the choices: those after sampling, among them alone. */
function scoring(choices: readonly ScoredChoice[]): Record<string, unknown> {
  return {
    max_tokens: 1,
    temperature: 1,
    samplers: ["temperature"],
    logprobs: true,
    top_logprobs: choices.length * PIECES,
    post_sampling_probs: true,
    logit_bias: choices.map(({ text }) => [text, BIAS]),
  };
}

/** Tells whether a value is an object with members, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives the settings that have a value. */
function present(sampling: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== null && value !== undefined));
}

function saysSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
