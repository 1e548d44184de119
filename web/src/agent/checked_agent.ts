/** What an agent is made of, checked where it is made and not in the middle of a run: types hold in TypeScript alone. */
import type { AnyCore } from "../core/core.js";
import { PurestepError } from "../errors.js";
import { checkNames, namesOf } from "../member_names.js";
import type { Ports } from "./ports.js";

const PORTS = namesOf<Ports>({
  model: true,
  tools: true,
  toolsRankedBy: true,
  approve: true,
  log: true,
  attachments: true,
  watch: true,
  clock: true,
  sleep: true,
});

/** Throws PurestepError with the code `invalid_input` for what is no core, and for ports that cannot be used. */
export function checkAgent(core: AnyCore, ports: Ports): void {
  if (!hasFunction(core, "run_agent_step_lines"))
    throw wrong("a core, as await loadCore() gives it", core instanceof Promise ? "a promise: await it" : named(core));
  if (typeof ports !== "object" || ports === null) throw wrong("ports with a model, such as { model }", named(ports));
  checkNames(ports, PORTS, "ports", "; members of the definition go into the third argument");
  const { model, tools, toolsRankedBy, approve, log } = ports;
  if (!hasFunction(model, "complete"))
    throw wrong("a model in ports, as openAiModel(...) gives it", named(model), "/model");
  if (typeof model.name !== "string") throw wrong("a model's name to be a text", named(model.name), "/model/name");
  if (tools !== undefined && !Array.isArray(tools)) throw wrong("tools to be an array", named(tools), "/tools");
  if (toolsRankedBy !== undefined && typeof toolsRankedBy !== "function")
    throw wrong("toolsRankedBy to be a function, such as byEmbedding(...)", named(toolsRankedBy), "/toolsRankedBy");
  if (approve !== undefined && typeof approve !== "function")
    throw wrong("approve to be a function, as approveEach(...) gives it", named(approve), "/approve");
  if (log !== undefined && !hasFunction(log, "append"))
    throw wrong("log to have a function append", named(log), "/log");
}

function wrong(expected: string, got: string, path = ""): PurestepError {
  return new PurestepError("invalid_input", `expected ${expected}; got ${got}`, path);
}

function hasFunction(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[name] === "function";
}

function named(value: unknown): string {
  return value === null ? "null" : typeof value;
}
