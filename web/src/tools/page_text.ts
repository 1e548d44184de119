/** Extracts the visible text of a part of a document, one line for each block. */
import * as elements from "../generated/tool_limits.js";

const UNSEEN = new Set(elements.UNSEEN);
// In a page that is shown, the options of a list stand below each other.
const BLOCKS = new Set([...elements.BLOCKS, "option"]);
const ELEMENT = 1;
const TEXT = 3;

/**
 * Gives the text below `root`, or of a longer one a little more than the first `max_chars` characters.
 *
 * `field` gives the text of form fields. What is marked as hidden is left out.
 */
export function pageText(root: Node, maxChars: number, field: (element: Element) => string | undefined): string {
  const parts: string[] = [];
  let size = 0;
  const add = (text: string): void => {
    parts.push(text);
    size += text.length;
  };
  // Without recursion: a page decides how deep it is.
  for (let node: Node | null = root; node !== null && size <= maxChars; node = next(node, root, enters(node), add)) {
    if (node.nodeType === TEXT) add((node.nodeValue ?? "").replaceAll("\n", " "));
    else if (isField(node)) add(` ${field(node as Element) ?? ""} `);
    else if (BLOCKS.has(nameOf(node))) add("\n");
  }
  return joinedLines(parts);
}

/** Gives the parts as lines, each with single spaces, without empty ones. */
function joinedLines(parts: readonly string[]): string {
  const lines = parts
    .join("")
    .split("\n")
    .map((line) => line.split(/\s+/).filter(Boolean).join(" "));
  return lines.filter((line) => line !== "").join("\n");
}

/** Gives the node after `node` in the order of the document, closing blocks on the way; null at the end of `root`. */
function next(node: Node, root: Node, enter: boolean, add: (text: string) => void): Node | null {
  if (enter && node.firstChild) return node.firstChild;
  for (let at: Node | null = node; at && at !== root; at = at.parentNode) {
    if (BLOCKS.has(nameOf(at))) add("\n");
    if (at.nextSibling) return at.nextSibling;
  }
  return null;
}

function enters(node: Node): boolean {
  if (node.nodeType !== ELEMENT) return true;
  return !UNSEEN.has(nameOf(node)) && !isField(node) && !(node as Element).hasAttribute("hidden");
}

function isField(node: Node): boolean {
  return ["input", "select", "textarea"].includes(nameOf(node));
}

function nameOf(node: Node): string {
  return node.nodeName.toLowerCase();
}
