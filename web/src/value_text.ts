/** A value of a model's or a tool's in one line with others. */
import { writeExactly } from "./exact_numbers.js";
import { sanitizedJson } from "./sanitize.js";

/** Gives it as JSON with every digit, hidden characters as escapes: a text ends where its quotation mark stands. */
export function valueText(value: unknown): string {
  return sanitizedJson(writeExactly(value));
}
