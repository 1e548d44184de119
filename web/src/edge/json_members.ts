/**
 * The members of a JSON object as unparsed text.
 *
 * A state is passed on as text: decoded to JavaScript values and encoded again, it would lose digits above 2^53.
 */
import { PurestepError } from "../errors.js";
import { firstCharacters } from "../characters.js";

// The core's own bound; what is nested a few thousand deep cannot be written as JSON again.
const MAX_DEPTH = 64;

/** Gives each member's text by name. Throws unless it is a JSON object, not nested too deep, with unique member names. */
export function membersOf(text: string): Map<string, string> {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PurestepError("invalid_input", `expected a JSON object; got ${kindOf(value)}`);
  }
  const members = new Map<string, string>();
  for (const [name, member] of sliced(text)) {
    if (members.has(name)) {
      throw new PurestepError(
        "invalid_input",
        "expected each member once; this one comes again",
        `/${firstCharacters(name, 100)}`,
      );
    }
    members.set(name, member);
  }
  return members;
}

function parsed(text: string): unknown {
  if (text.startsWith("\ufeff")) {
    const message = "expected JSON in UTF-8 without a byte order mark; leave the first three bytes of the body out";
    throw new PurestepError("invalid_json", message);
  }
  try {
    return JSON.parse(text);
  } catch {
    const message =
      "expected the body to be a JSON object, whole, with double quotes and no comma too many; it is no JSON";
    throw new PurestepError("invalid_json", message);
  }
}

/** Cuts a valid object at the colons and commas of its first level. */
function* sliced(text: string): Generator<[name: string, member: string]> {
  let depth = 0;
  let from = 0;
  let name: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    if (char === "{" || char === "[") depth += 1;
    if (depth > MAX_DEPTH)
      throw new PurestepError("too_deep", `expected JSON nested at most ${MAX_DEPTH} levels deep; flatten it`);
    if (depth === 1 && char === ":") {
      name = JSON.parse(text.slice(from, at)) as string;
      from = at + 1;
    }
    if (depth === 1 && (char === "," || char === "}") && name !== undefined) yield [name, text.slice(from, at).trim()];
    if (depth === 1 && (char === "{" || char === ",")) from = at + 1;
    if (char === "}" || char === "]") depth -= 1;
  }
}

/** Gives where the string that begins here has its closing quote. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Names the kind of a JSON value. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
