/** Shows what cannot be seen as visible escapes, by the same table and rule as native hosts. */

import { BELONGING, HIDDEN, KEYCAPS, STYLES } from "./generated/hidden_characters.js";

type Ranges = readonly (readonly [number, number])[];

const CANDIDATES = classOf(HIDDEN, ...BELONGING.map(([characters]) => characters));
const PAIRS = BELONGING.map(([characters, others]) => classOf(others) + classOf(characters)).join("|");
const ALL_CANDIDATES = new RegExp(CANDIDATES, "gu");
const STAYS = new RegExp(PAIRS, "u");
const KEYCAP = new RegExp(`^${classOf(STYLES)}${classOf(KEYCAPS)}`, "u");

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
    stays(character, text, offset) ? character : escapeOf(character),
  );
}

/** Whether a character belongs to the one before it, or makes a keycap of it. */
function stays(character: string, text: string, offset: number): boolean {
  const before = [...text.slice(Math.max(0, offset - 2), offset)].at(-1) ?? "";
  return STAYS.test(before + character) || KEYCAP.test(text.slice(offset, offset + 2));
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
