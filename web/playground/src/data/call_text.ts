/** A call as one line, as programs write it: `add_numbers(17, 25)`. */
import { valueText } from "../../../src/value_text.js";

/** Gives the call with all of its values; their names stand in the log. */
export function callText(tool: string, params: Readonly<Record<string, unknown>>): string {
  return `${tool}(${Object.values(params).map(valueText).join(", ")})`;
}

/** Gives the value of an argument, by the path that its origin has; undefined where there is none. */
export function valueAt(params: unknown, path: string): unknown {
  const names = path.split("/").slice(1);
  return names.reduce<unknown>((value, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Record<string, unknown>)[key]
      : undefined;
  }, params);
}
