/** Tools that only compute: echo, add_numbers, calculator. */
import type { Tool } from "../agent/ports.js";
import { writeExactly } from "../exact_numbers.js";
import { TOOL_SPECS } from "../generated/tool_specs.js";
import { numberOf, type ComputeFunctions } from "./computed.js";
import { toolOfSpec } from "./tool.js";

/** Gives the tool `echo`: repeats a text. */
export function echo(): Tool {
  return toolOfSpec(TOOL_SPECS.echo, (params) => params["text"]);
}

/** Gives the tool `add_numbers`: the sum of `a` and `b`. */
export function addNumbers(core: Pick<ComputeFunctions, "add_numbers">): Tool {
  return toolOfSpec(TOOL_SPECS.add_numbers, (params) => numberOf(core.add_numbers(writeExactly(params))));
}

/** Gives the tool `calculator`: the value of an arithmetic expression. */
export function calculator(core: Pick<ComputeFunctions, "calculate">): Tool {
  return toolOfSpec(TOOL_SPECS.calculator, (params) => numberOf(core.calculate(params["expression"] as string)));
}
