/** The tools of this page: the package's own, a reminder that goes nowhere, and the user for every other name. */
import type { RunTool, Tool } from "../../../src/agent/ports.js";
import type { AgentDefinition } from "../../../src/generated/wire.js";
import { toolByHand } from "../data/waiting.js";
import { pageTools } from "./page_tools.js";

const send_reminder: RunTool = async ({ to, text }) => ({ ok: true, output: `sent to ${String(to)}: ${String(text)}` });

/** Gives a tool for each that the definition names. */
export function toolsOf(definition: AgentDefinition): Tool[] {
  return (definition.tools ?? []).map((spec) => ({ spec, run: runOf(spec.name) }));
}

/** Tells whether the page has this tool, or its user plays it. */
export function hasTool(name: string): boolean {
  return name === "send_reminder" || pageTools.has(name);
}

function runOf(name: string): RunTool {
  return name === "send_reminder" ? send_reminder : (pageTools.get(name) ?? toolByHand);
}
