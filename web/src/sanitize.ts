/** Shows what cannot be seen as visible escapes, by the same table and rule as native hosts. */

import { HIDDEN, JOINED, JOINERS, VARIATIONS } from "./generated/hidden_characters.js";

type Ranges = readonly (readonly [number, number])[];

const CANDIDATES = classOf(HIDDEN, JOINERS, VARIATIONS);
const CANDIDATE = new RegExp(CANDIDATES, "u");
const ALL_CANDIDATES = new RegExp(CANDIDATES, "gu");
const JOINER = new RegExp(classOf(JOINERS), "u");
const VARIATION = new RegExp(classOf(VARIATIONS), "u");
const AFTER_JOINED = new RegExp(`${classOf(JOINED)}$`, "u");
const AFTER_BLANK = /(?:^|\s)$/u;

/**
 * Gives the text with control, bidirectional and invisible characters as escapes such as `\x1b`.
 *
 * Tab and newline stay, and the line ends of Windows become newlines. Wherever text from a model, a tool, a log or a
 * server is shown to a person who decides by it.
 */
export function sanitize(text: string): string {
  return shown(text.replaceAll("\r\n", "\n"), escape);
}

/** Gives the value as JSON with such characters escaped; it parses to the same value. `json` is JSON text. */
export function sanitizedJson(json: string): string {
  return shown(json, jsonEscape);
}

function shown(text: string, escapeOf: (character: string) => string): string {
  return text.replace(ALL_CANDIDATES, (character, offset: number) =>
    stays(character, text.slice(Math.max(0, offset - 2), offset)) ? character : escapeOf(character),
  );
}

/** Whether a joiner or variation selector belongs to the character before it; `before` ends with that one. */
function stays(character: string, before: string): boolean {
  if (JOINER.test(character)) {
    return AFTER_JOINED.test(before);
  }
  const last = [...before].at(-1) ?? "";
  return VARIATION.test(character) && !AFTER_BLANK.test(last) && !CANDIDATE.test(last);
}

function escape(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  const digits = number.toString(16);
  if (number < 0x100) {
    return `\\x${digits.padStart(2, "0")}`;
  }
  return number < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

function jsonEscape(character: string): string {
  const units = character.split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

function classOf(...tables: Ranges[]): string {
  const members = tables.flat().map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`);
  return `[${members.join("")}]`;
}
