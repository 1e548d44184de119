/** Puts one chat completion together, from stream chunks or whole, and checks its shape on the way. */
import type { ModelOutput, NativeCall, Usage } from "../generated/wire.js";
import { isObject } from "./faults.js";

// Ten times what a 128k-token window can hold as text: past it a server is stuck in a loop.
export const MAX_REPLY_CHARS = 5_000_000;
// The most parallel calls that the OpenAI API allows in one message.
const MAX_TOOL_CALLS = 128;

/** What came is no chat completion; `retryable` tells whether asking again may help. */
export class BadReply extends Error {
  override readonly name = "BadReply";

  constructor(
    message: string,
    readonly retryable = true,
  ) {
    super(message);
  }
}

interface CallInTheMaking {
  id: string;
  name: string;
  arguments: string;
}

/** One completion in the making: feed it chunks, then take the observation. */
export class Reply {
  finish_reason: string | null = null;
  /** Characters received so far. */
  size = 0;
  #text: string[] = [];
  #calls = new Map<number, CallInTheMaking>();
  #usage: Usage | undefined;
  #model: string | undefined;

  /** Takes one chunk (or a whole completion) and gives the text that it added; throws BadReply for another shape. */
  add(chunk: unknown): string {
    const record = object(chunk, "the reply");
    if (typeof record["model"] === "string") this.#model = record["model"];
    this.#usage = usage(record["usage"]) ?? this.#usage;
    // Usage and filter reports come as chunks without choices.
    const reportsOnly = "choices" in record || "usage" in record;
    const choices = list(given(record["choices"]) ?? (reportsOnly ? [] : undefined), "choices");
    return choices.length === 0 ? "" : this.#addChoice(object(choices[0], "choices[0]"));
  }

  /** Gives the `model_output` observation of what was received. */
  observation(): ModelOutput {
    const text = wellFormed(this.#text.join(""));
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([index, call]) => tool_call(call, index));
    const output: ModelOutput = {
      type: "model_output",
      content: calls.length > 0 && text === "" ? null : text,
      finish_reason: this.finish_reason,
    };
    if (calls.length > 0) output.tool_calls = calls;
    if (this.#usage) output.usage = this.#usage;
    if (this.#model) output.model = this.#model;
    return output;
  }

  #addChoice(choice: Record<string, unknown>): string {
    const piece = object(given(choice["delta"]) ?? given(choice["message"]) ?? {}, "the message");
    const reason = choice["finish_reason"] ?? null;
    if (reason !== null) this.finish_reason = text(reason, "finish_reason");
    list(given(piece["tool_calls"]) ?? [], "tool_calls").forEach((call, position) => {
      this.#addCall(object(call, "a tool call"), position);
    });
    const content = text(given(piece["content"]) ?? "", "content");
    this.#text.push(content);
    this.#grow(content.length);
    return content;
  }

  #addCall(delta: Record<string, unknown>, position: number): void {
    const index = this.#index(delta, position);
    const call = this.#calls.get(index) ?? { id: "", name: "", arguments: "" };
    this.#calls.set(index, call);
    const named = object(given(delta["function"]) ?? {}, "a tool call's function");
    const value = given(named["arguments"]) ?? "";
    const added = isObject(value) ? JSON.stringify(value) : text(value, "arguments");
    call.id ||= call_id(delta);
    call.name ||= text(given(named["name"]) ?? "", "a function's name");
    call.arguments += added;
    this.#grow(added.length);
  }

  /** Gives which call a piece belongs to; a new id opens a new call, also where a server numbers none. */
  #index(delta: Record<string, unknown>, position: number): number {
    const numbered = delta["index"] ?? undefined;
    const id = call_id(delta);
    let index = numbered === undefined ? position : (numbered as number);
    if (!Number.isInteger(index) || index < 0 || index >= MAX_TOOL_CALLS) {
      throw new BadReply(`a tool call has an index that is no number from 0 to ${MAX_TOOL_CALLS - 1}`);
    }
    const known = this.#calls.get(index);
    if (known?.id && id && known.id !== id) {
      index = [...this.#calls].find(([, call]) => call.id === id)?.[0] ?? this.#calls.size;
    } else if (numbered === undefined && !id && this.#calls.size > 0) {
      index = Math.max(...this.#calls.keys());
    }
    if (index >= MAX_TOOL_CALLS) throw new BadReply(`the reply holds more than ${MAX_TOOL_CALLS} tool calls`, false);
    return index;
  }

  #grow(chars: number): void {
    this.size += chars;
    if (this.size > MAX_REPLY_CHARS)
      throw new BadReply(`the reply passed ${MAX_REPLY_CHARS} characters and did not end`, false);
  }
}

function tool_call(call: CallInTheMaking, index: number): NativeCall {
  const named = { name: call.name, arguments: wellFormed(call.arguments) };
  return { id: call.id || `call_${index}`, type: "function", function: named };
}

function call_id(delta: Record<string, unknown>): string {
  const id = delta["id"] ?? "";
  return typeof id === "number" ? String(id) : text(id, "a tool call's id");
}

function usage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const counts: Usage = {};
  for (const name of ["prompt_tokens", "completion_tokens"] as const) {
    const count = value[name];
    if (Number.isSafeInteger(count) && (count as number) >= 0) counts[name] = count as number;
  }
  return Object.keys(counts).length > 0 ? counts : undefined;
}

/** Gives the text with every lone half of a character replaced by U+FFFD; halves that came apart are joined already. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

/** Gives a value that says something; null, "", 0, [] and {} do not. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value : undefined;
  if (isObject(value)) return Object.keys(value).length > 0 ? value : undefined;
  return value || undefined;
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new BadReply(`${what} is ${kind(value)}; expected an object`);
}

function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new BadReply(`${what} is ${kind(value)}; expected a list`);
}

function text(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw new BadReply(`${what} is ${kind(value)}; expected text`);
}

function kind(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  if (Array.isArray(value)) return "a list";
  return { string: "text", number: "a number", boolean: "a truth value" }[typeof value as string] ?? "an object";
}
