/** The tools of this page: the package's own, a reminder that goes nowhere, and the user for every other name. */
import type { AnyCore } from "../../../src/core/core.js";
import type { RunTool, Tool } from "../../../src/agent/ports.js";
import type { AgentDefinition } from "../../../src/generated/wire.js";
import { manualTool } from "../data/waiting.js";
import { pageTools } from "./page_tools.js";

const send_reminder: RunTool = async ({ to, text }) => ({ ok: true, output: `sent to ${String(to)}: ${String(text)}` });

/** Gives a tool for each that the definition names; one of the page's own keeps its own spec. */
export function toolsOf(definition: AgentDefinition, core: AnyCore): Tool[] {
  const own = pageTools(core);
  return (definition.tools ?? []).map((spec) => own.get(spec.name) ?? { spec, run: runOf(spec.name) });
}

function runOf(name: string): RunTool {
  return name === "send_reminder" ? send_reminder : manualTool;
}
