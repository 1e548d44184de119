/** The tools of this page: the package's own, a reminder that goes nowhere, written results, and else the user. */
import type { AnyCore } from "../../../src/core/core.js";
import type { RunTool, Tool } from "../../../src/agent/ports.js";
import type { AgentDefinition, Event } from "../../../src/generated/wire.js";
import { manualTool } from "../data/waiting.js";
import type { Preset } from "../presets.js";
import { pageTools } from "./page_tools.js";

const send_reminder: RunTool = async ({ to, text }) => ({ ok: true, output: `sent to ${String(to)}: ${String(text)}` });

/**
 * Gives a tool for each that the definition names; one of the page's own keeps its own spec.
 *
 * preset: the one that the definition is of, unchanged. offered: what people have added to this page. events: the run
 * so far, whenever it is asked for. others: runs a tool that the page does not have.
 */
export function toolsOf(
  definition: AgentDefinition,
  core: AnyCore,
  preset: Preset | undefined,
  offered: readonly Tool[],
  events: () => readonly Event[],
  others: RunTool = manualTool,
): Tool[] {
  const own = pageTools(core);
  return (definition.tools ?? []).map((spec) => {
    const written = preset?.results?.[spec.name];
    const added = offered.find((tool) => tool.spec.name === spec.name);
    const run = written ? writtenTool(written, events) : runOf(spec.name, others);
    return added ?? own.get(spec.name) ?? { spec, run };
  });
}

function runOf(name: string, others: RunTool): RunTool {
  return name === "send_reminder" ? send_reminder : others;
}

/** Gives what is written for the so many-th call of a tool in the run; after the last one, that again. */
function writtenTool(written: readonly unknown[], events: () => readonly Event[]): RunTool {
  return async (_params, { tool }) => {
    const before = events().filter((event) => event.kind === "tool_result" && event.tool_name === tool).length;
    return { ok: true, output: written[Math.min(before, written.length - 1)] };
  };
}
