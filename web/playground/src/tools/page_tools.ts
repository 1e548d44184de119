/** The tools of the package that this page offers, by name. */
import type { RunTool } from "../../../src/agent/ports.js";
import { addNumbers, calculator, echo, readDom } from "../../../src/tools/index.js";

// All that its reader can see; fields that keep a secret are left out by the tool itself.
const readable = (): Element | null => document.getElementById("page");

const TOOLS = [addNumbers(), calculator(), echo(), readDom({ root: readable })];

export const pageTools: ReadonlyMap<string, RunTool> = new Map(TOOLS.map((tool) => [tool.spec.name, tool.run]));
