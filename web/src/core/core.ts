/** Loading the core into this thread. */
import type { BootOptions } from "./boot.js";
import { boot } from "./boot.js";
import type { AgentCore } from "./functions.js";
import { coreOf } from "./functions.js";

export { JSON_FUNCTIONS } from "./functions.js";
export type { AgentCore, AnyCore, JsonArguments, JsonFunction } from "./functions.js";

/** Loads the core into this thread. Throws PurestepError when its files are missing or damaged. */
export async function createAgentCore(options: BootOptions = {}): Promise<AgentCore> {
  return coreOf(await boot(options));
}
