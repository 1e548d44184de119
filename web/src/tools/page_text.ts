/** Reduces a document or a part of one to the text that a reader sees, one line a block. */

/** Elements whose inside no reader sees. */
export const UNSEEN = new Set(["head", "iframe", "noscript", "object", "script", "style", "svg", "template"]);
/** Elements that begin and end a line. */
export const BLOCKS = new Set([
  ...["address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "footer"],
  ...["form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre"],
  ...["section", "table", "td", "th", "title", "tr", "ul"],
]);
const ELEMENT = 1;
const TEXT = 3;

/**
 * Gives the text below `root`, at most about `max_chars` characters of it.
 *
 * `field` gives the text of form fields, which are read as "" without it. What is marked as hidden is left out.
 */
export function pageText(
  root: Node,
  maxChars: number,
  field: (element: Element) => string | undefined = () => "",
): string {
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
export function joinedLines(parts: readonly string[]): string {
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
