/**
 * The two functions with the names and shapes of agent.rs, available once `init` has settled.
 *
 * A program written for its wasm package runs with only its import changed.
 */
import { PurestepError } from "../errors.js";
import type { AgentCore } from "./core.js";
import { createAgentCore } from "./core.js";

let loading: Promise<AgentCore> | undefined;
let loaded: AgentCore | undefined;

/** Loads the core once for this module; the argument of agent.rs, the address of its wasm file, is ignored. */
export async function init(_wasm?: unknown): Promise<void> {
  // A failed load may be tried again.
  loading ??= createAgentCore().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  loaded = await loading;
}

/** Gives the state of a new run as JSON text, or `{"error"}` for a definition that cannot be used. */
export function create_agent_state(
  query: string,
  agent_json?: string | null,
  run_id?: string | null,
  tool_choice?: string | null,
): string {
  return ready().create_agent_state(query, agent_json, run_id, tool_choice);
}

/** Gives `{"state_json", "decision", "log"}` for `{"state_json", "model_output" | "observation"}`; or the delta form. */
export function run_agent_step(input_json: string): string {
  return ready().run_agent_step(input_json);
}

function ready(): AgentCore {
  if (loaded) return loaded;
  throw new PurestepError("not_loaded", "expected the core to be loaded; await init() (the default export) first");
}
