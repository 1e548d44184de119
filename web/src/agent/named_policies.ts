/** What a definition names among its policies, for the few that a host does a part of. */

import type { AgentDefinition } from "../generated/wire.js";

/** Whether a definition names a policy; of one that cannot be read, the core says what is wrong. */
export function namesPolicy(definition: string | undefined, name: string): boolean {
  if (!definition?.includes(`"${name}"`)) return false;
  try {
    const policies = (JSON.parse(definition) as AgentDefinition | null)?.policies;
    return Array.isArray(policies) && policies.some((policy) => policy.use === name);
  } catch {
    return false;
  }
}
