/** The core's verdict on the definition in the editor, and the position of its error. */
import { effect, signal } from "@preact/signals";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import type { Node, Segment } from "jsonc-parser";
import { coreIsReady, coreReady } from "../core/load_core.js";
import { editedDefinition } from "./preferences.js";

export interface DefinitionProblem {
  readonly code: string;
  readonly message: string;
  /** As a JSON Pointer; "" for the whole. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

export type Verdict =
  | { readonly kind: "checking" }
  | { readonly kind: "holds"; readonly digest: string }
  | { readonly kind: "refused"; readonly problem: DefinitionProblem };

export const definitionVerdict = signal<Verdict>({ kind: "checking" });

// Debounces typing.
const PAUSE_MS = 200;

/** Has the core check the definition after every change. */
export function watchDefinition(): void {
  let asked = 0;
  effect(() => {
    const text = editedDefinition.value;
    const turn = ++asked;
    if (!coreIsReady.value) return;
    setTimeout(() => {
      if (turn === asked) void check(text).then((verdict) => turn === asked && (definitionVerdict.value = verdict));
    }, PAUSE_MS);
  });
}

async function check(text: string): Promise<Verdict> {
  try {
    const core = await coreReady();
    const output = await core.load_agent(text);
    return output.startsWith("{") ? refused(text, output) : { kind: "holds", digest: output };
  } catch {
    return { kind: "checking" }; // the core card shows errors of the core
  }
}

interface CoreError {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/** How the core names the place in text that is no JSON. */
const PLACE = /^line (\d+), column (\d+): /;

function refused(text: string, output: string): Verdict {
  const { error } = JSON.parse(output) as { error: CoreError };
  const [from, to] = error.code === "invalid_json" ? placeInText(text, error.message) : placeOfPath(text, error);
  const before = text.slice(0, from).split("\n");
  // Columns are counted in whole characters, as the core counts them.
  const column = [...before.at(-1)!].length + 1;
  const message = error.message.replace(PLACE, ""); // which is shown beside it
  return { kind: "refused", problem: { ...error, message, from, to, line: before.length, column } };
}

/** Gives the range of what a JSON Pointer names, or of the nearest thing around it that is there. */
function placeOfPath(text: string, { code, path }: CoreError): [number, number] {
  const root = parseTree(text);
  if (!root) return [0, text.length];
  const names = path
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  for (let length = names.length; length > 0; length--) {
    const node = nodeAt(root, names.slice(0, length));
    if (node) return rangeOf(node, code === "unsupported_keyword" && length === names.length);
  }
  return [root.offset, root.offset + 1];
}

function nodeAt(root: Node, names: string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const name of names) {
    const segment: Segment = node.type === "array" ? Number(name) : name;
    node = findNodeAtLocation(node, [segment]);
    if (!node) return undefined;
  }
  return node;
}

/** A name that should not be there is marked itself, and so is that of a large value, which would mark the whole page. */
function rangeOf(node: Node, atName: boolean): [number, number] {
  const large = node.type === "object" || node.type === "array";
  const name = node.parent?.type === "property" && (large || atName) ? node.parent.children?.[0] : undefined;
  const { offset, length } = name ?? node;
  return [offset, offset + (large && !name ? 1 : length)];
}

/** The core names line and column of text that is no JSON in its message; columns count whole characters. */
function placeInText(text: string, message: string): [number, number] {
  const [, line, column] = PLACE.exec(message) ?? [];
  const before = text.split("\n").slice(0, Number(line ?? 1) - 1);
  const row = text.split("\n")[before.length] ?? "";
  const start = before.reduce((sum, passed) => sum + passed.length + 1, 0);
  const from = start + [...row].slice(0, Number(column ?? 1) - 1).join("").length;
  return [Math.min(from, text.length), Math.min(from + 1, text.length)];
}
