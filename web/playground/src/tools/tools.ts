/** The tools of this page: the package's own, a reminder that goes nowhere, and the user for every other name. */
import type { RunTool, Tool } from "../../../src/agent/ports.js";
import type { AgentDefinition } from "../../../src/generated/wire.js";
import { tool_by_hand } from "../data/waiting.js";
import { page_tools } from "./page_tools.js";

const send_reminder: RunTool = async ({ to, text }) => ({ ok: true, output: `sent to ${String(to)}: ${String(text)}` });

/** Gives a tool for each that the definition names. */
export function tools_of(definition: AgentDefinition): Tool[] {
  return (definition.tools ?? []).map((spec) => ({ spec, run: run_of(spec.name) }));
}

/** Tells whether the page has this tool, or its user plays it. */
export function has_tool(name: string): boolean {
  return name === "send_reminder" || page_tools.has(name);
}

function run_of(name: string): RunTool {
  return name === "send_reminder" ? send_reminder : (page_tools.get(name) ?? tool_by_hand);
}
