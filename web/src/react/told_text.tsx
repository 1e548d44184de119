/** Text of a model, a tool or a person: never markup, and nothing in it hides or moves what stands around it. */
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import { sanitize } from "../sanitize.js";
import { valueText } from "../value_text.js";

export function ToldText({ text }: { text: string }) {
  return <bdi>{sanitize(text)}</bdi>;
}

/** Returns a value that stands alone: a text as it is, all else as JSON with every digit. */
export function wholeText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : writeExactly(value);
}

/** Returns a call as one line: `refund_order(number: 7, why: "late")`. */
export function callText(tool: string, params_json: string): string {
  const named = Object.entries(parseVerbatim(params_json) as Record<string, unknown>);
  return `${tool}(${named.map(([name, value]) => `${name}: ${valueText(value)}`).join(", ")})`;
}

/** Returns the name of a tool after those of the agents down to the one that calls it. */
export function placedName(tool: string, path: readonly string[] = []): string {
  return [...path, tool].join(" > ");
}
