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
 * preset: the one that the definition is of, unchanged. events: the run so far, whenever it is asked for.
 */
export function toolsOf(
  definition: AgentDefinition,
  core: AnyCore,
  preset: Preset | undefined,
  events: () => readonly Event[],
): Tool[] {
  const own = pageTools(core);
  return (definition.tools ?? []).map((spec) => {
    const written = preset?.results?.[spec.name];
    return own.get(spec.name) ?? { spec, run: written ? writtenTool(written, events) : runOf(spec.name) };
  });
}

function runOf(name: string): RunTool {
  return name === "send_reminder" ? send_reminder : manualTool;
}

/** Gives what is written for the so many-th call of a tool in the run; after the last one, that again. */
function writtenTool(written: readonly unknown[], events: () => readonly Event[]): RunTool {
  return async (_params, { tool }) => {
    const before = events().filter((event) => event.kind === "tool_result" && event.tool_name === tool).length;
    return { ok: true, output: written[Math.min(before, written.length - 1)] };
  };
}
