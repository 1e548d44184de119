/** Runs one call and always gives an outcome; checks the arguments, and that the result is JSON of bounded size. */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { MAX_RESULT_BYTES } from "../generated/tool_limits.js";
import type { ToolCall, ToolSpec } from "../generated/wire.js";
import type { Tool, ToolOutcome } from "./ports.js";

/** What a call needs of the core. */
export type Checker = Pick<AnyCore, "check_value">;

/** Runs a call with a tool; never rejects for what the tool did. */
export async function runTool(
  core: Checker,
  tool: Tool | undefined,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (!tool) return failed(`this host has no tool named ${call.tool}`);
  try {
    const problems = await argumentErrors(core, tool.spec, call.params);
    if (problems) return failed(problems, "invalid_arguments");
    return checked(await tool.run(call.params, call, signal));
  } catch (error) {
    return failed(said(error));
  }
}

/** Gives the validation errors of arguments: a definition may have shown the model another schema than the tool's own. */
async function argumentErrors(core: Checker, { parameters = {} }: ToolSpec, params: unknown): Promise<string> {
  const found = accepted(await core.check_value(JSON.stringify({ schema: parameters, value: params })));
  const { errors } = JSON.parse(found) as { errors: { message: string }[] };
  return errors.map(({ message }) => message).join("; ");
}

/** Gives the members of an outcome; throws if it is not an outcome or not JSON, which is the tool's fault. */
function checked(outcome: ToolOutcome | null | undefined): ToolOutcome {
  const { ok, output, error, error_kind } = outcome ?? ({} as Partial<ToolOutcome>);
  if (typeof ok !== "boolean" || [error ?? "", error_kind ?? ""].some((text) => typeof text !== "string")) {
    throw new TypeError("the tool gave no outcome; expected ok with an output, or not ok with an error's text");
  }
  const size = sizeOf(ok ? output : error);
  if (size <= MAX_RESULT_BYTES) return { ok, ...given(ok ? { output } : { error, error_kind }) };
  return ok
    ? failed(`expected a result of at most ${MAX_RESULT_BYTES} bytes, got ${size}; ask for a part of it`)
    : failed(tooLong(size), error_kind ?? undefined);
}

function given(members: Record<string, unknown>): Partial<ToolOutcome> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function failed(error: string, error_kind = "execution"): ToolOutcome {
  const size = sizeOf(error);
  return { ok: false, error: size <= MAX_RESULT_BYTES ? error : tooLong(size), error_kind };
}

function tooLong(size: number): string {
  return `it failed with a message of ${size} bytes, where at most ${MAX_RESULT_BYTES} are taken`;
}

/** Gives the size in bytes of a text in UTF-8, or of another value as JSON; throws if it is not JSON. */
function sizeOf(value: unknown): number {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)).length;
}

/** Gives what a tool threw as text: an error's message, or the value itself, whose conversion may throw. */
function said(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "it failed and does not say why";
  }
}
