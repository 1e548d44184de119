/** Runs the function of a tool within its time limit, and always gives an outcome. */
import type { Tool, ToolOutcome } from "../agent/ports.js";
import { TOOL_TIME_LIMIT_MS } from "../generated/tool_limits.js";
import type { ToolCall, ToolSpec } from "../generated/wire.js";
import { deadline } from "../deadline.js";
import { wellFormed } from "../well_formed.js";
import { hasMoreCharacters } from "../characters.js";

/** `interrupted`: nobody knows whether the tool had its effect, or what came of it. */
export type ErrorKind = "invalid_arguments" | "execution" | "io" | "interrupted";

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

/** A call's arguments; the core has checked them against the tool's schema. */
export type Params = Record<string, unknown>;

/** The function of a tool: takes the model's arguments and gives its whole output, which the core cuts; throws ToolFailure. */
export type ToolFunction = (params: Params, call: ToolCall, signal: AbortSignal) => unknown;

/** Gives a tool that runs `work` for at most `time_limit_ms` milliseconds. */
export function toolOfSpec(spec: ToolSpec, work: ToolFunction, time_limit_ms = TOOL_TIME_LIMIT_MS): Tool {
  return {
    spec,
    async run(params, call, signal) {
      try {
        const output = await within(time_limit_ms, spec.name, signal, (ending) => work(params, call, ending));
        return { ok: true, output: typeof output === "string" ? wellFormed(output) : output };
      } catch (error) {
        return outcomeOf(error, spec.name);
      }
    },
  };
}

/** Gives the text argument `name`; throws ToolFailure for one of more than `maxChars` characters. */
export function boundedText(params: Params, name: string, maxChars: number): string {
  const value = params[name] as string;
  if (hasMoreCharacters(value, maxChars))
    throw new ToolFailure(`${name} has ${[...value].length} characters; at most ${maxChars}`, "invalid_arguments");
  return value;
}

function outcomeOf(error: unknown, name: string): ToolOutcome {
  if (error instanceof ToolFailure) return { ok: false, error: error.message, error_kind: error.kind };
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { ok: false, error: `${name} failed: ${said}`, error_kind: "execution" };
}

/** Settles as `work` does, or fails at the time limit or when the run is stopped; `work` is aborted then. */
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
      reject(new ToolFailure(`${name} ${why}; it may have run`, "interrupted"));
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
