/** JSON text in colours; every token keeps its characters, so numbers keep all digits. */
import { createScanner } from "jsonc-parser";
import type { JSX } from "preact";

// A state or a log line is far shorter; past this the page would stand still for the colours.
const MAX_COLOURED_CHARS = 20_000;

// The scanner's numbers for kinds of tokens; its own enum is gone when modules are compiled one by one.
const NULL = 7;
const TRUE = 8;
const FALSE = 9;
const STRING = 10;
const NUMBER = 11;
const END = 17;

const KINDS: Record<number, string> = {
  [NUMBER]: "json-number",
  [TRUE]: "json-word",
  [FALSE]: "json-word",
  [NULL]: "json-word",
};

function coloured(text: string): (string | JSX.Element)[] {
  const scanner = createScanner(text);
  const parts: (string | JSX.Element)[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    const name = kind === STRING ? stringKind(text, end) : KINDS[kind];
    const value = text.slice(scanner.getTokenOffset(), end);
    // A string in letters that run to the left must not move what stands around it.
    if (kind === STRING) parts.push(<bdi class={name}>{value}</bdi>);
    else parts.push(name ? <span class={name}>{value}</span> : value);
  }
  return parts;
}

/** A string before a colon is a name. */
function stringKind(text: string, end: number): string {
  return text[end] === ":" ? "json-name" : "json-string";
}

/** Shows JSON text in colours, as it is laid out already. */
export function JsonText({ text }: { text: string }) {
  return <>{text.length > MAX_COLOURED_CHARS ? text : coloured(text)}</>;
}
