/** Results that come later: what a tool gives whose work goes on elsewhere, and what gives its result. */
import { parseVerbatim } from "../exact_numbers.js";
import type { Observation, RunState, ToolResult } from "../generated/wire.js";
import { callsOfAgents } from "./agent_tree.js";
import type { AgentPlace } from "./ports.js";

/** Characters of a handle and of a note that the core takes. */
const MOST = { handle: 512, note: 500 } as const;

/** The handle of a call that waits for a time, which says the time. */
const UNTIL = /^until:((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

/** What `later` and `laterUntil` give. */
export class Later {
  constructor(
    readonly handle: string,
    readonly note: string,
  ) {}
}

/**
 * Returned by a tool whose work goes on elsewhere, as a job or a task: the model goes on without its result.
 *
 * handle: by which you find it again; it stands in the log. note: what the model is told of it meanwhile. Throws TypeError
 * for a handle that is no text of 1 to 512 characters, and for a note that is none of at most 500.
 */
export function later(handle: string, { note = "" }: { readonly note?: string } = {}): Later {
  const isFit = [handle, note].every((each: unknown) => typeof each === "string") && handle.length > 0;
  if (!isFit || [...handle].length > MOST.handle || [...note].length > MOST.note)
    throw new TypeError("expected later(handle, { note }) with 1 to 512 characters, and at most 500 in the note");
  return new Later(handle, note);
}

/**
 * Returned by a tool that waits for a time: `dueResults` has its result once that has come, and hosts in Python that give
 * such results by themselves know it too.
 *
 * note: as for `later`. Throws TypeError for a time that is none of the years 1 to 9999.
 */
export function laterUntil(time: Date, given: { readonly note?: string } = {}): Later {
  const handle = Number.isNaN(time.getTime()) ? "" : `until:${time.toISOString()}`;
  if (!UNTIL.test(handle)) throw new TypeError("expected a Date of the years 1 to 9999 in laterUntil(time, { note })");
  return later(handle, given);
}

/** A call that goes on elsewhere and has no result yet. */
export interface LateCall extends AgentPlace {
  readonly call_id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly handle: string;
}

/** The result of such a call, which `lateResult` makes. */
export interface LateResult {
  readonly result: ToolResult;
  readonly run_id?: string;
}

/**
 * Gives the result of a call that went on elsewhere, for `results` of a stream: its output, or why it failed.
 *
 * No other run takes it. Throws TypeError for both, and for neither.
 */
export function lateResult(
  { call_id, run_id, key }: LateCall,
  given: { readonly output: unknown } | { readonly error: string },
): LateResult {
  const { output, error }: { output?: unknown; error?: string } = given;
  if (error === undefined ? !("output" in given) : (output ?? undefined) !== undefined)
    throw new TypeError("expected lateResult(call, { output }), or lateResult(call, { error }): one of the two");
  const result: ToolResult =
    error === undefined
      ? { call_id, key, ok: true, output }
      : { call_id, key, ok: false, error, error_kind: "execution" };
  return { result, ...(run_id !== undefined && { run_id }) };
}

/** Gives the results of the calls that wait for a time which has come; nowMs: by your clock, in milliseconds since 1970. */
export function dueResults(calls: readonly LateCall[], nowMs = Date.now()): LateResult[] {
  return calls.flatMap((call) => {
    const time = timeOf(call.handle);
    return time !== undefined && time.getTime() <= nowMs
      ? [lateResult(call, { output: `The time has come: ${time.toISOString()}.` })]
      : [];
  });
}

/** The time that a handle of `laterUntil` says; of a day that no calendar has, there is none. */
function timeOf(handle: string): Date | undefined {
  const text = UNTIL.exec(handle)?.[1];
  const time = new Date(text ?? NaN);
  return Number.isNaN(time.getTime()) || time.toISOString() !== text ? undefined : time;
}

/** Gives the observations of results: one for each run, so that what was given together is read together. */
export function observationsOf(given: readonly LateResult[]): Observation[] {
  const ofRuns = new Map<string | undefined, ToolResult[]>();
  for (const { result, run_id } of given) ofRuns.set(run_id, [...(ofRuns.get(run_id) ?? []), result]);
  return [...ofRuns].map(([run_id, results]) => ({
    type: "tool_results",
    results,
    ...(run_id !== undefined && { run_id }),
  }));
}

/** Gives the calls of a state, and of the agents that it calls, that go on elsewhere. */
export function lateCalls(state: string): LateCall[] {
  return state.includes('"handle":"') ? callsIn(parseVerbatim(state) as RunState, {}) : [];
}

function callsIn(state: RunState, place: AgentPlace): LateCall[] {
  const own = [...(state.run.late ?? []), ...(state.pending ?? [])].flatMap(
    ({ call_id, tool, params, key, handle, status }) =>
      handle && status === "run" ? [{ call_id, tool, params, key, handle, ...place }] : [],
  );
  const below = callsOfAgents(state).flatMap(({ tool, child }) =>
    callsIn(child, { path: [...(place.path ?? []), tool, ...(child.run.handed ?? [])], run_id: child.run_id }),
  );
  return [...own, ...below];
}
