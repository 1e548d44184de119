/** The agents of a definition, each with the model of the page and with tools of its own. */
import { Agent } from "../../../src/agent/agent.js";
import type { Model, Tool } from "../../../src/agent/ports.js";
import type { AnyTool } from "../../../src/agent/sub_agents.js";
import type { AnyCore } from "../../../src/core/core.js";
import type { AgentDefinition } from "../../../src/generated/wire.js";

/** Gives the tools that a definition names, and its agents; portsOf: the model and the tools of one definition. */
export function withAgents(
  definition: AgentDefinition,
  portsOf: (definition: AgentDefinition) => { readonly model: Model; readonly tools: readonly Tool[] },
  core: AnyCore,
): AnyTool[] {
  const agents = Object.entries(definition.agents ?? {}).map(([name, { agent, hand_off }]) => {
    const ports = { ...portsOf(agent), tools: withAgents(agent, portsOf, core) };
    const made = new Agent(core, ports, agent);
    return hand_off ? made.asHandOff({ name }) : made.asTool({ name });
  });
  return [...portsOf(definition).tools, ...agents];
}
