/** Runs the function of a tool within its limits, and gives an outcome whatever it does. */
import type { Tool, ToolOutcome } from "../agent/ports.js";
import type { ToolCall, ToolSpec } from "../generated/wire.js";
import { deadline } from "../deadline.js";
import { wellFormed } from "../well_formed.js";

export type ErrorKind = "invalid_arguments" | "execution" | "io";

/** A tool could not do what was asked; the message goes to the model and says what to change. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";

  constructor(
    message: string,
    readonly kind: ErrorKind = "execution",
  ) {
    super(message);
  }
}

export type Params = Record<string, unknown>;

/** What a tool does: from the model's arguments to its output; throws ToolFailure. */
export type Work = (params: Params, call: ToolCall, signal: AbortSignal) => unknown;

const CUT = "\n[cut: the output was longer]";
const DEFAULT_MAX_OUTPUT_CHARS = 4000;
// What a library threw is a hint, not a report.
const MAX_ERROR_CHARS = 500;

/** Gives a tool that runs `work` for at most `time_limit_ms` milliseconds, its output cut at the spec's bound. */
export function tool(spec: ToolSpec, work: Work, time_limit_ms = 10_000): Tool {
  const limit = spec.max_output_chars ?? DEFAULT_MAX_OUTPUT_CHARS;
  return {
    spec,
    async run(params, call, signal) {
      const problem = misfit(spec, params);
      if (problem) return failed(problem, "invalid_arguments");
      try {
        const output = await within(time_limit_ms, spec.name, signal, (ending) => work(params, call, ending));
        return { ok: true, output: capped(output, limit) };
      } catch (error) {
        return outcomeOf(error, spec.name, limit);
      }
    },
  };
}

/** Gives the text argument `name`; throws ToolFailure for another type or more than `max_chars`. */
export function textOf(params: Params, name: string, maxChars: number): string {
  const value = params[name];
  if (typeof value !== "string")
    throw new ToolFailure(`${name} must be text, not ${typeOf(value)}`, "invalid_arguments");
  const size = [...value].length;
  if (size > maxChars)
    throw new ToolFailure(`${name} has ${size} characters; at most ${maxChars}`, "invalid_arguments");
  return value;
}

/** Gives the number argument `name`; throws ToolFailure for another type. */
export function numberOf(params: Params, name: string): number {
  const value = params[name];
  if (typeof value === "number") return value;
  throw new ToolFailure(`${name} must be a number, not ${typeOf(value)}`, "invalid_arguments");
}

function outcomeOf(error: unknown, name: string, limit: number): ToolOutcome {
  if (error instanceof ToolFailure) return failed(cut(error.message, limit), error.kind);
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return failed(cut(`${name} failed: ${said}`, MAX_ERROR_CHARS), "execution");
}

/** Settles as `work` does, or fails once the time is over or the run is stopped; `work` is told to end then. */
async function within(
  ms: number,
  name: string,
  signal: AbortSignal,
  work: (ending: AbortSignal) => unknown,
): Promise<unknown> {
  const wait = deadline([signal], ms);
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => {
      const why = wait.ended === "time" ? `did not end within ${ms / 1000} seconds` : "was stopped";
      reject(new ToolFailure(`${name} ${why}`));
    };
    wait.signal.addEventListener("abort", end, { once: true });
    if (wait.ended) end();
  });
  try {
    return await Promise.race([ended, Promise.resolve().then(() => work(wait.signal))]);
  } finally {
    wait.close();
  }
}

/** Gives what is wrong with the arguments' names; their types are each tool's own matter. */
function misfit({ parameters = {} }: ToolSpec, params: Params): string {
  if (typeOf(params) !== "dict") return `the arguments must be an object, not ${typeOf(params)}`;
  const known = Object.keys((parameters["properties"] as Params | undefined) ?? {});
  const missing = ((parameters["required"] as string[] | undefined) ?? []).filter(
    (name) => !Object.hasOwn(params, name),
  );
  if (missing.length > 0) return `missing: ${missing.join(", ")}`;
  const unknown =
    parameters["additionalProperties"] === false ? Object.keys(params).filter((name) => !known.includes(name)) : [];
  return unknown.length > 0 ? `unknown: ${unknown.join(", ")}; expected ${known.join(", ")}` : "";
}

/** Gives the output, as cut text when longer than `limit`; throws for what is no JSON. */
function capped(output: unknown, limit: number): unknown {
  if (typeof output === "string") return cut(wellFormed(output), limit);
  const text = JSON.stringify(output);
  if (text === undefined) throw new TypeError(`a tool gives JSON, not ${typeof output}`);
  return text.length <= limit ? output : cut(text, limit);
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text; // no text has more characters than code units
  const chars = [...text];
  if (chars.length <= limit) return text;
  return chars.slice(0, Math.max(0, limit - CUT.length)).join("") + CUT.slice(0, limit);
}

function failed(error: string, error_kind: ErrorKind): ToolOutcome {
  return { ok: false, error, error_kind };
}

/** Gives a type by the name that native hosts use, so that a model reads the same words everywhere. */
function typeOf(value: unknown): string {
  if (value === null || value === undefined) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return { string: "str", boolean: "bool" }[typeof value as string] ?? "dict";
}
