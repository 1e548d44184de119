/** What the service does not carry out: the runs of agents that an agent calls, whose transcripts no request holds. */
import { PurestepError } from "../errors.js";

/** Refuses a definition that names agents of its own; of one that cannot be read, the core says what is wrong. */
export function refuseAgents(definition: string): void {
  if (!definition.includes('"agents"')) return;
  let agents: unknown;
  try {
    agents = (JSON.parse(definition) as { agents?: unknown } | null)?.agents;
  } catch {
    return;
  }
  if (typeof agents !== "object" || agents === null || Object.keys(agents).length === 0) return;
  throw new PurestepError(
    "invalid_agent",
    "expected a definition without agents: the service does not run agents that call others yet; give this one tools " +
      "that call them, or run it with Agent",
    "/agents",
  );
}
