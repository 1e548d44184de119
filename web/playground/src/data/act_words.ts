/** Acts in words: what a call was made with, in one short line. */
import { writeExactly } from "../../../src/exact_numbers.js";
import type { Act, Event } from "../../../src/generated/wire.js";

const VALUE_CHARS = 40;
const CHARS = 160;

/** Returns the arguments of an act, cut: the call above has them whole. */
export function actWords({ params }: Act): string {
  const said = Object.entries(params).map(([name, value]) => {
    const text = typeof value === "string" ? value : writeExactly(value);
    return `${name}=${cut(text.replaceAll(/\s+/g, " "), VALUE_CHARS)}`;
  });
  return cut(said.join(" "), CHARS);
}

/** Returns the tool of an act, after the names of the agents down to the one that called it. */
export function actName({ tool, path = [] }: Act): string {
  return [...path, tool].join(" > ");
}

/** Returns the lines that an event of an ending has on its acts. */
export function actLines({ acts, acts_left_out = 0 }: Extract<Event, { kind: "final_answer" | "run_failed" }>): string {
  if (acts === undefined) return "";
  if (acts.length === 0) return "\nchanged nothing";
  const lines = acts.map((act) => {
    const ending = act.status === "succeeded" ? "" : ` (${act.status})`;
    return `\nchanged ${actName(act)} ${actWords(act)}`.trimEnd() + ending;
  });
  return [...lines, acts_left_out > 0 ? `\nchanged ${acts_left_out} more` : ""].join("");
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit).join("")}\u2026`;
}
