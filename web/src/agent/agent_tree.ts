/** The agents that a run calls, as they are found in a definition, a state and a log. */
import type { AnyCore } from "../core/core.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { AgentDefinition, Message, Pending, RunState } from "../generated/wire.js";
import { completed } from "./carry.js";
import type { Adapters } from "./sub_agents.js";

/** How a line of the log above ends, after the line below that it holds. */
const END = /(?:,"prev":"[0-9a-f]{64}")?\}$/;

/** Gives a definition whose agents are changed, and then itself; path: the names of the agents down to it. */
export async function changedAll(
  definition: string,
  change: (definition: string, path: readonly string[]) => string | Promise<string>,
  path: readonly string[] = [],
): Promise<string> {
  const read = readAgents(definition);
  for (const [name, entry] of Object.entries(read?.agents ?? {})) {
    const agent = await changedAll(writeExactly(entry.agent), change, [...path, name]);
    entry.agent = parseVerbatim(agent) as typeof entry.agent;
  }
  return change(read ? writeExactly(read) : definition, path);
}

/**
 * Gives a definition with what is known of its model, and its agents with what is known of theirs.
 *
 * One that is only in the definition is asked of its caller's model. Throws PurestepError for what `complete_agent` refuses.
 */
export function completedAll(
  core: Pick<AnyCore, "complete_agent">,
  definition: string,
  adapters: Adapters,
): Promise<string> {
  return changedAll(definition, (each, path) => {
    const { profile } = adapters.at(path);
    return profile ? completed(core, each, { profile }) : each;
  });
}

/** Gives the definition of the agent at a place as text; the whole one where there is none. */
export function definitionAt(definition: string, path: readonly string[] = []): string {
  return path.reduce((found, name) => {
    const agent = readAgents(found)?.agents[name]?.agent;
    return agent === undefined ? found : writeExactly(agent);
  }, definition);
}

/** Gives a definition that has agents as a value; undefined for any other, of which the core says what is wrong. */
function readAgents(definition: string): Required<Pick<AgentDefinition, "agents">> | undefined {
  if (!definition.includes('"agents"')) return undefined;
  try {
    const read = parseVerbatim(definition) as AgentDefinition | null;
    const entries = Object.values(read?.agents ?? {}) as unknown[];
    return entries.length > 0 && entries.every(hasAgent) ? (read as ReturnType<typeof readAgents>) : undefined;
  } catch {
    return undefined;
  }
}

function hasAgent(entry: unknown): boolean {
  return typeof entry === "object" && entry !== null && "agent" in entry && entry.agent !== undefined;
}

/** A call with the run of the agent that it called. */
export type CallBelow = Pending & { readonly child: RunState };

/** Gives the calls of a run that wait for an agent's run. */
export function callsOfAgents({ pending = [] }: Pick<RunState, "pending">): CallBelow[] {
  return pending.filter((call): call is CallBelow => call.child != null);
}

/** Gives the calls of agents that go on in a whole tree; none of a state that cannot be read, of which the core says so. */
export function callsBelow(state: string): CallBelow[] {
  if (!state.includes('"child":{')) return [];
  const all = (run: RunState): CallBelow[] => callsOfAgents(run).flatMap((call) => [call, ...all(call.child)]);
  try {
    return all(JSON.parse(state) as RunState);
  } catch {
    return [];
  }
}

/** Whether these are the whole transcripts of the agents that go on, by the ids of their runs; others may be there. */
export function haveTranscripts(state: string, children: Readonly<Record<string, readonly Message[]>> = {}): boolean {
  const said = new Map(Object.entries(children));
  return callsBelow(state).every(({ child }) => (said.get(child.run_id)?.length ?? 0) === child.messages);
}

/** Gives the calls down to a run below; none for the run itself, and for one that is not there. */
export function callsDownTo(state: RunState, runId: string): CallBelow[] {
  for (const call of callsOfAgents(state)) {
    const further = callsDownTo(call.child, runId);
    if (further.length > 0 || call.child.run_id === runId) return [call, ...further];
  }
  return [];
}

/** Where an agent stands that has a run: `agents` down to it, those to whom a conversation was handed among them. */
export interface AgentsDownTo {
  readonly agents: readonly string[];
  /** Down to the one with which its run began, in whose definition it stands. */
  readonly began: readonly string[];
}

/** Gives where the agent stands that has a run below; of none, the run itself. */
export function agentsDownTo(state: string, runId: string | undefined): AgentsDownTo {
  if (runId === undefined && !state.includes('"handed":[')) return { agents: [], began: [] };
  const run = JSON.parse(state) as RunState;
  let began: readonly string[] = [];
  let agents: readonly string[] = run.run.handed ?? [];
  for (const { tool, child } of runId === undefined ? [] : callsDownTo(run, runId)) {
    began = [...agents, tool];
    agents = [...began, ...(child.run.handed ?? [])];
  }
  return { agents, began };
}

/** Gives the state of a run below as text; that of the run itself where there is none. */
export function stateBelow(state: string, runId: string | undefined): string {
  if (runId === undefined) return state;
  const found = callsDownTo(parseVerbatim(state) as RunState, runId).at(-1);
  return found ? writeExactly(found.child) : state;
}

/** Gives the log of a run below, which stands in the lines of its callers'. */
export function logBelow(log: string, state: string, runId: string | undefined): string {
  if (runId === undefined) return log;
  return callsDownTo(JSON.parse(state) as RunState, runId).reduce(
    (lines, { call_id }) => linesBelow(lines, call_id),
    log,
  );
}

function linesBelow(log: string, callId: string): string {
  const mark = `"kind":"child","call_id":${JSON.stringify(callId)},"line":`;
  // Further in, the line may hold one of a call of that id that an agent made.
  const held = log.split("\n").map((line) => line.slice(line.indexOf('"kind":')));
  return held
    .flatMap((line) => (line.startsWith(mark) ? `${line.slice(mark.length).replace(END, "")}\n` : []))
    .join("");
}
