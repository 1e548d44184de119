/**
 * The core's JSON functions as JavaScript functions: text in, text out, under the names they have in Python.
 *
 * They never throw for an invalid input; they return `{"error": {"code", "message", "path"}}`.
 */
import type { BootedCore, LoadReport } from "./boot.js";
import type { DialectFunctions } from "./dialects.js";
import { registerIn } from "./dialects.js";

/** The names of the JSON functions: the core's, and last those of the tools that compute and of the probe. */
export const JSON_FUNCTIONS = [
  "create_agent_state",
  "run_agent_step",
  "run_agent_step_lines",
  "load_agent",
  "complete_agent",
  "replay_log",
  "replay_log_lines",
  "verify_log",
  "explain_log",
  "redrive_log",
  "policy_diff_log",
  "diff_logs",
  "redact_observation",
  "reveal_params",
  "project_log",
  "fold_rates",
  "accepted_observations",
  "check_change",
  "read_model_output",
  "read_output_part",
  "sealed_text",
  "stream_model_output",
  "receive_model_reply",
  "read_model_fault",
  "run_skill",
  "check_value",
  "core_info",
  "add_numbers",
  "calculate",
  "html_text",
  "run_probe_step",
  "run_probe_tool",
] as const;

export type JsonFunction = (typeof JSON_FUNCTIONS)[number];

/** The arguments of each JSON function; all are text. */
export interface JsonArguments {
  create_agent_state: [query: string, agent_json?: string | null, run_id?: string | null, tool_choice?: string | null];
  run_agent_step: [input_json: string];
  run_agent_step_lines: [input_json: string];
  load_agent: [agent_json: string];
  complete_agent: [agent_json: string, host_json: string];
  replay_log: [log: string];
  replay_log_lines: [log: string];
  verify_log: [log: string, head?: string | null];
  explain_log: [log: string, state_json?: string | null];
  redact_observation: [input_json: string];
  reveal_params: [input_json: string];
  redrive_log: [log: string, agent_json?: string | null, run_id?: string | null];
  policy_diff_log: [log: string, agent_json: string];
  diff_logs: [one: string, other: string];
  project_log: [input_json: string];
  fold_rates: [input_json: string];
  accepted_observations: [state_json: string];
  check_change: [state_json: string, old_json: string, new_json: string];
  read_model_output: [input_json: string];
  read_output_part: [input_json: string];
  sealed_text: [input_json: string];
  stream_model_output: [input_json: string];
  receive_model_reply: [input_json: string];
  read_model_fault: [input_json: string];
  run_skill: [input_json: string];
  check_value: [input_json: string];
  core_info: [];
  add_numbers: [input_json: string];
  calculate: [expression: string];
  html_text: [page: string];
  run_probe_step: [input_json: string];
  run_probe_tool: [input_json: string];
}

/** A core in this thread. */
export type AgentCore = { readonly [Name in JsonFunction]: (...args: JsonArguments[Name]) => string } & {
  /** How the core was loaded: its tier, and the size and time of each part. */
  readonly report: LoadReport;
  /** Makes a dialect of your own known, for definitions loaded from now on; throws PurestepError where it cannot be. */
  registerDialect(dialect: DialectFunctions): void;
};

/** A core anywhere, in this thread or in a worker: what `Agent` needs. */
export type AnyCore = {
  readonly [Name in JsonFunction]: (...args: JsonArguments[Name]) => string | Promise<string>;
} & {
  readonly report: LoadReport;
};

/** Gives the JSON functions of a core that was started. */
export function coreOf(booted: BootedCore): AgentCore {
  const functions = JSON_FUNCTIONS.map((name) => [
    name,
    // An argument left out is Python's None, which is what every optional one defaults to.
    (...args: (string | null | undefined)[]) => booted.call(name, ...args.map((argument) => argument ?? null)),
  ]);
  const registerDialect = (dialect: DialectFunctions) => registerIn(booted.register, dialect);
  return Object.freeze({ ...Object.fromEntries(functions), report: booted.report, registerDialect }) as AgentCore;
}
