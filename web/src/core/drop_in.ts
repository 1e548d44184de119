/**
 * The two functions with the names and shapes of agent.rs, available once `init` has settled.
 *
 * A program written for its wasm package runs with only its import changed.
 */
import { accepted, PurestepError } from "../errors.js";
import type { AgentCore } from "./core.js";
import { createAgentCore } from "./core.js";

let loading: Promise<AgentCore> | undefined;
let loaded: AgentCore | undefined;
let throwing = false;

/** What `init` takes. */
export interface InitOptions {
  /** Whether what is refused is thrown as a `PurestepError` or returned as `{"error"}`, which is the default. */
  errors?: "throw" | "return";
}

/**
 * Loads the core once for this module. The argument of agent.rs, the address of its wasm file, is ignored; options
 * stand in its place or after it, and hold from then on.
 */
export async function init(wasm?: unknown, options: InitOptions = given(wasm)): Promise<void> {
  const { errors = "return" } = options;
  if (errors !== "throw" && errors !== "return") {
    throw new PurestepError("invalid_input", 'expected errors to be "throw" or "return"', "/errors");
  }
  throwing = errors === "throw";
  // A failed load may be tried again.
  loading ??= createAgentCore().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  loaded = await loading;
}

/** Gives the state of a new run as JSON text; refuses a definition that cannot be used. */
export function create_agent_state(
  query: string,
  agent_json?: string | null,
  run_id?: string | null,
  tool_choice?: string | null,
): string {
  return answered(ready().create_agent_state(query, agent_json, run_id, tool_choice));
}

/** Gives `{"state_json", "decision", "log"}` for `{"state_json", "model_output" | "observation"}`; or the delta form. */
export function run_agent_step(input_json: string): string {
  return answered(ready().run_agent_step(input_json));
}

function given(wasm: unknown): InitOptions {
  return typeof wasm === "object" && wasm !== null && "errors" in wasm ? (wasm as InitOptions) : {};
}

function answered(output: string): string {
  return throwing ? accepted(output) : output;
}

function ready(): AgentCore {
  if (loaded) return loaded;
  throw new PurestepError("not_loaded", "expected the core to be loaded; await init() (the default export) first");
}
