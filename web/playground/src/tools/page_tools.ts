/** The tools of the package that this page offers, by name. */
import type { AnyCore } from "../../../src/core/core.js";
import type { Tool } from "../../../src/agent/ports.js";
import { addNumbers, calculator, echo, readDom } from "../../../src/tools/index.js";

// All that its reader can see; fields that keep a secret are left out by the tool itself.
const readable = (): Element | null => document.getElementById("page");

/** Gives the tools, those that compute with this core. */
export function pageTools(core: AnyCore): ReadonlyMap<string, Tool> {
  const tools = [addNumbers(core), calculator(core), echo(), readDom({ root: readable })];
  return new Map(tools.map((tool) => [tool.spec.name, tool]));
}
