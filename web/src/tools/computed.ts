/** Results of the tools' pure functions, which are Python code in the bundle, the same as on native hosts. */
import type { AnyCore } from "../core/functions.js";
import { accepted, PurestepError } from "../errors.js";
import { exactNumber } from "../exact_numbers.js";
import { ToolFailure } from "./tool.js";

/** The functions of a core for tools. */
export type ComputeFunctions = Pick<AnyCore, "add_numbers" | "calculate" | "html_text">;

/** Gives the number of an answer; throws ToolFailure where there is none. */
export async function numberOf(answer: string | Promise<string>): Promise<unknown> {
  const digits = (await computed(answer)).slice(BEFORE.length, -1);
  return exactNumber(digits);
}

/** Gives the text of an answer. */
export async function textOf(answer: string | Promise<string>): Promise<string> {
  return (JSON.parse(await computed(answer)) as { value: string }).value;
}

const BEFORE = '{"value":';

async function computed(answer: string | Promise<string>): Promise<string> {
  try {
    return accepted(await answer);
  } catch (error) {
    if (error instanceof PurestepError && error.code === "no_value") {
      throw new ToolFailure(error.message, "invalid_arguments");
    }
    throw error;
  }
}
