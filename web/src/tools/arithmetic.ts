/** Tools that only compute: echo, add_numbers, calculator. */
import type { Tool } from "../agent/ports.js";
import { TOOL_SPECS } from "../generated/tool_specs.js";
import { calculate, CalculatorError, MAX_EXPRESSION_CHARS } from "./calculator.js";
import { add, type Num, plainNumber } from "./numbers.js";
import { numberOf, type Params, textOf, tool, ToolFailure } from "./tool.js";

const MAX_ECHO_CHARS = 4000;

/** Gives the tool `echo`: repeats a text. */
export function echo(): Tool {
  return tool(TOOL_SPECS.echo, (params) => textOf(params, "text", MAX_ECHO_CHARS));
}

/** Gives the tool `add_numbers`: the sum of `a` and `b`. */
export function addNumbers(): Tool {
  return tool(TOOL_SPECS.add_numbers, (params) => plain(() => add(operand(params, "a"), operand(params, "b"))));
}

/** Gives the tool `calculator`: the value of an arithmetic expression. */
export function calculator(): Tool {
  return tool(TOOL_SPECS.calculator, (params) => {
    const expression = textOf(params, "expression", MAX_EXPRESSION_CHARS);
    return plain(() => calculate(expression));
  });
}

function operand(params: Params, name: string): Num {
  const value = numberOf(params, name);
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

function plain(compute: () => Num): unknown {
  try {
    return plainNumber(compute());
  } catch (error) {
    if (error instanceof CalculatorError) throw new ToolFailure(error.message, "invalid_arguments");
    throw error;
  }
}
