/** The definition of a request's run: the service's own, or a client's with the service's parts and held to its rules. */
import { completed } from "../agent/carry.js";
import { sourceOf } from "../agent/sub_agents.js";
import { accepted, PurestepError } from "../errors.js";
import { parseVerbatim } from "../exact_numbers.js";
import type { AgentDefinition } from "../generated/wire.js";
import { ofMember } from "./answers.js";
import type { RunParts } from "./run.js";

/**
 * Gives the definition with the tools and agents of the host, where it names none.
 *
 * One that a client sends is held to the host's own approval rules, in each of its agents. Throws PurestepError.
 */
export async function definitionOf(
  { core, adapters, own }: Pick<RunParts, "core" | "adapters" | "own">,
  sent: string | undefined,
): Promise<string> {
  if (sent === undefined) return own;
  const tools = [...adapters.tools.values()].map(({ spec }) => spec);
  try {
    const given = adapters.agents.size > 0 ? sourceOf(parseVerbatim(sent) as AgentDefinition, adapters) : sent;
    const definition = await completed(core, given, { tools, rules_of: parseVerbatim(own) });
    accepted(await core.load_agent(definition));
    return definition;
  } catch (error) {
    throw error instanceof PurestepError ? ofMember("/agent", error) : error;
  }
}
