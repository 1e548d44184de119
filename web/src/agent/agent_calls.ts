/** The calls of agents that a step begins and ends: no decision names them, since the core runs agents itself. */
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { ChildEnded, ChildLine, Event, RunState } from "../generated/wire.js";
import { callsOfAgents } from "./agent_tree.js";
import type { AgentPlace, ArgumentsText, StepTaken, ToolOutcome } from "./ports.js";

/** A call of an agent that goes on. */
export interface AgentCall extends ArgumentsText {
  readonly call_id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Of the agent that calls. */
  readonly place: AgentPlace;
  /** Of the agent that is called. */
  readonly runId: string;
  /** The ids of the calls down to this one, by which the log's lines name it. */
  readonly ids: string;
}

/** What a step does to the calls of agents. */
export interface CallsOfStep {
  readonly begun: readonly AgentCall[];
  readonly ended: readonly (AgentCall & { readonly outcome: ToolOutcome })[];
  /** Those that go on. */
  readonly open: readonly AgentCall[];
}

/** Compares the calls of agents that went on before a step with those after it. */
export function callsOfStep({ state, log }: StepTaken, before: readonly AgentCall[]): CallsOfStep {
  const open = state.includes('"child":{') ? callsIn(parseVerbatim(state) as RunState) : [];
  if (open.length === 0 && before.length === 0) return { begun: [], ended: [], open };
  const known = new Set(before.map(({ runId }) => runId));
  const now = new Set(open.map(({ runId }) => runId));
  const outcomes = before.length > 0 ? endingsIn(log) : new Map<string, ToolOutcome>();
  const gone = before.filter(({ runId }) => !now.has(runId));
  return {
    begun: open.filter(({ runId }) => !known.has(runId)),
    // The inner ones end first.
    ended: gone.reverse().flatMap((call) => {
      const outcome = outcomes.get(call.ids);
      return outcome ? [{ ...call, outcome }] : [];
    }),
    open,
  };
}

function callsIn(state: RunState, place: AgentPlace = {}, above = ""): AgentCall[] {
  return callsOfAgents(state).flatMap(({ call_id, tool, params, child }) => {
    const ids = `${above}/${call_id}`;
    const call = { call_id, tool, params, params_json: writeExactly(params), place, runId: child.run_id, ids };
    return [call, ...callsIn(child, { path: [...(place.path ?? []), tool], run_id: child.run_id }, ids)];
  });
}

/** Gives what agents ended with, by the ids of the calls down to them. */
function endingsIn(log: string): Map<string, ToolOutcome> {
  const found = new Map<string, ToolOutcome>();
  for (const line of log.split("\n")) {
    if (!line.includes('"kind":"child_ended"')) continue;
    let ids = "";
    let event = parseVerbatim(line) as Event;
    for (; event.kind === "child"; event = (event as ChildLine).line as Event) ids += `/${event.call_id}`;
    if (event.kind === "child_ended") found.set(`${ids}/${event.call_id}`, outcomeOf(event));
  }
  return found;
}

function outcomeOf({ ok, output, error, error_kind }: ChildEnded): ToolOutcome {
  return {
    ok,
    ...(output !== undefined && { output }),
    ...(error != null && { error }),
    ...(error_kind != null && { error_kind }),
  };
}
