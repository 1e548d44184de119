/** Runs one call and always gives an outcome; checks the arguments, and that the result is JSON of bounded size. */
import { Later } from "./late.js";
import { takenApart } from "./output_parts.js";
import type { AttachmentStore } from "./attachments.js";
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { isCarriedAsText, parseVerbatim, writeExactly } from "../exact_numbers.js";
import { MAX_RESULT_BYTES, MAX_RESULT_DEPTH } from "../generated/tool_limits.js";
import type { OutputPart, ToolSpec } from "../generated/wire.js";
import type { DueCall, Tool, ToolOutcome } from "./ports.js";

/** What a call needs of the core. */
export type Checker = Pick<AnyCore, "check_value">;

/** The outcome of a call that was stopped, of which nothing else is known. */
export const INTERRUPTED: ToolOutcome = {
  ok: false,
  error: "interrupted; it may have run",
  error_kind: "interrupted",
};

/** Runs a call with a tool; never rejects for what the tool did. After `signal` aborts, no tool is begun. */
export async function runTool(
  core: Checker,
  tool: Tool | undefined,
  call: DueCall,
  signal: AbortSignal,
  store: AttachmentStore,
): Promise<ToolOutcome> {
  const outcome = await outcomeOf(core, tool, call, signal, store);
  // The failure of a tool that was stopped does not say whether it had its effect.
  return signal.aborted && !outcome.ok && !outcome.pending ? INTERRUPTED : outcome;
}

/** Answers a call that reads on in an output from the log; the core finds the part. */
export async function readPart(
  core: Pick<AnyCore, "read_output_part">,
  log: string,
  part: OutputPart,
): Promise<ToolOutcome> {
  return JSON.parse(accepted(await core.read_output_part(writeExactly({ log, part })))) as ToolOutcome;
}

async function outcomeOf(
  core: Checker,
  tool: Tool | undefined,
  call: DueCall,
  signal: AbortSignal,
  store: AttachmentStore,
): Promise<ToolOutcome> {
  if (!tool) return failed(`this host has no tool named ${call.tool}`, "invalid_arguments");
  try {
    const problems = await argumentErrors(core, tool.spec, call.params);
    if (problems) return failed(problems, "invalid_arguments");
    if (signal.aborted) return INTERRUPTED;
    return await taken(call.tool, await tool.run(call.params, call, signal), store);
  } catch (error) {
    return failed(said(error));
  }
}

/** Gives the outcome of a tool that has run; one that cannot be taken does not undo its effect. */
async function taken(
  name: string,
  outcome: ToolOutcome | null | undefined,
  store: AttachmentStore,
): Promise<ToolOutcome> {
  if (outcome?.output instanceof Later) {
    const { handle, note } = outcome.output;
    return { ok: false, pending: { handle, ...(note && { note }) } };
  }
  try {
    const { output, parts } = await takenApart(outcome?.output, store);
    const result = checked(outcome && { ...outcome, output });
    return result.ok && parts.length > 0 ? { ...result, parts: [...parts] } : result;
  } catch (error) {
    return failed(`${name} ran; its result cannot be used: ${said(error)}`, "interrupted");
  }
}

/** Gives the validation errors of arguments: a definition may have shown the model another schema than the tool's own. */
async function argumentErrors(core: Checker, { parameters = {} }: ToolSpec, params: unknown): Promise<string> {
  const found = accepted(await core.check_value(writeExactly({ schema: parameters, value: params })));
  const { errors } = JSON.parse(found) as { errors: { message: string }[] };
  return errors.map(({ message }) => message).join("; ");
}

/** Gives the members of an outcome; throws if it is not an outcome or not JSON, which is the tool's fault. */
function checked(outcome: ToolOutcome | null | undefined): ToolOutcome {
  const { ok, output, error, error_kind } = outcome ?? ({} as Partial<ToolOutcome>);
  if (typeof ok !== "boolean" || [error ?? "", error_kind ?? ""].some((text) => typeof text !== "string")) {
    throw new TypeError("the tool gave no outcome; expected ok with an output, or not ok with an error's text");
  }
  if (!ok) {
    const size = sizeOf(error ?? "");
    return size <= MAX_RESULT_BYTES
      ? { ok, ...given({ error, error_kind }) }
      : failed(tooLong(size), error_kind ?? undefined);
  }
  return checkedOutput(output);
}

/** Gives an outcome with the output as JSON values that the tool cannot change any more; throws for one past a bound. */
function checkedOutput(output: unknown): ToolOutcome {
  if (output === undefined) return { ok: true };
  const text = typeof output === "string" ? output : writeExactly(output);
  const size = sizeOf(text);
  const lost = typeof output === "object" || typeof output === "number" ? withoutForm(output) : undefined;
  if (lost !== undefined) throw new TypeError(`expected a value that JSON has; got ${lost}`);
  const own = typeof output === "string" ? output : parseVerbatim(text);
  if (isTooDeep(own))
    throw new RangeError(`expected a result nested at most ${MAX_RESULT_DEPTH} levels deep; flatten it`);
  if (size <= MAX_RESULT_BYTES) return { ok: true, ...given({ output: own }) };
  throw new RangeError(`expected a result of at most ${MAX_RESULT_BYTES} bytes, got ${size}; ask for a part of it`);
}

/** Gives what of a value without circles JSON.stringify would write as another: NaN as null, a Map as an empty object. */
function withoutForm(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value);
  if (!isObject(value) || typeof (value as { toJSON?: unknown }).toJSON === "function") return undefined;
  const members = Object.values(value);
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (kind === "Error" || (members.length === 0 && !WRITTEN.has(kind))) return kind;
  return members.map(withoutForm).find((found) => found !== undefined);
}

/** Values that JSON has, also without a member. */
const WRITTEN: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "Boolean"]);

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth < MAX_RESULT_DEPTH; depth++) {
    level = level.flatMap((item) => (isObject(item) ? Object.values(item) : []));
  }
  return level.some(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isCarriedAsText(value);
}

function given(members: Record<string, unknown>): Partial<ToolOutcome> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function failed(error: string, error_kind = "execution"): ToolOutcome {
  const size = sizeOf(error ?? "");
  return { ok: false, error: size <= MAX_RESULT_BYTES ? error : tooLong(size), error_kind };
}

function tooLong(size: number): string {
  return `it failed with a message of ${size} bytes, where at most ${MAX_RESULT_BYTES} are taken`;
}

/** Gives the bytes of a text in UTF-8. */
function sizeOf(text: string | undefined): number {
  return new TextEncoder().encode(text).length;
}

/** Gives what a tool threw as text: an error's message, or the value itself, whose conversion may throw. */
function said(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "it failed and does not say why";
  }
}
