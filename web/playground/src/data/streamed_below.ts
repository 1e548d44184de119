/** What the agents that a run calls are writing now. */
import { signal } from "@preact/signals";
import { callsDownTo } from "../../../src/agent/agent_tree.js";
import type { AgentPlace, OutputWatcher } from "../../../src/agent/ports.js";
import type { RunState } from "../../../src/generated/wire.js";

/** An output of an agent, as far as it was received and may be shown. */
export interface OutputBelow {
  /** The call of the run itself that led to the agent. */
  readonly call_id: string;
  readonly path: readonly string[];
  readonly text: string;
}

/** By the ids of the agents' runs. */
export const streamedBelow = signal<ReadonlyMap<string, OutputBelow>>(new Map());

/** Gives what receives the next output of an agent; state: of the run that calls it, as text. */
export function watchBelow({ path = [], run_id = "" }: AgentPlace, state: string): OutputWatcher {
  const call_id = callsDownTo(JSON.parse(state) as RunState, run_id)[0]?.call_id ?? "";
  const put = (text: string): void => {
    streamedBelow.value = new Map(streamedBelow.value).set(run_id, { call_id, path, text });
  };
  put("");
  return {
    onText: (text) => put((streamedBelow.value.get(run_id)?.text ?? "") + text),
    onRetract: () => put(""),
  };
}

/** Forgets them: they are in the run now, or nowhere. */
export function clearBelow(): void {
  if (streamedBelow.value.size > 0) streamedBelow.value = new Map();
}
