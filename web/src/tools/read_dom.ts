/** The tool read_dom: the text of a part of this page, below one element and nowhere else. */
import type { Tool } from "../agent/ports.js";
import type { ToolSpec } from "../generated/wire.js";
import { wellFormed } from "../well_formed.js";
import { pageText } from "./page_text.js";
import { boundedText, toolOfSpec, ToolFailure } from "./tool.js";

/** The part of the page that a model may read. */
export interface ReadDomOptions {
  /** The element below which it may read, itself included; a function is asked at each call. */
  root: Element | (() => Element | null);
}

const MAX_SELECTOR_CHARS = 300;
// Of what is read, to bound memory; the core cuts what a model reads of it. Three bytes each fit a result.
const MAX_READ_CHARS = 300_000;
const READ_CUT_NOTICE = `\n[cut: there is more text than ${MAX_READ_CHARS} characters]`;
// A list of a page that a reader takes in; a selector that finds more is too wide.
const MAX_FOUND = 50;
// Fields whose text a person sees on the screen.
const SHOWN_INPUTS = new Set([
  "",
  "date",
  "datetime-local",
  "email",
  "month",
  "number",
  "search",
  "tel",
  "text",
  "time",
  "url",
  "week",
]);
// What a password field is turned into when its text is shown, and what is as secret.
const SECRET = /passw|one-time-code|\bcc-|\bpin\b/i;
// A selector that tests a value could reveal a secret piece by piece.
const TESTS_A_VALUE = /\[[^[\]]*(?:value|\\|\/\*)/i;

export const READ_DOM_SPEC: ToolSpec = {
  name: "read_dom",
  description: "Get the text of a part of this page.",
  parameters: {
    type: "object",
    properties: { selector: { type: "string", description: "a CSS selector, for example h1 or .price" } },
    required: ["selector"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Visitors of a page may have written parts of it.
  labels: ["open"],
  approval: "auto",
  max_output_chars: 4000,
  examples: [
    {
      query: "What is the heading of this page?",
      arguments: { selector: "h1" },
      result: "Opening hours",
      answer: "The heading is: Opening hours",
    },
  ],
};

/** Gives the tool `read_dom`: text only, of what the selector finds below the root. */
export function readDom(options: ReadDomOptions): Tool {
  return toolOfSpec(READ_DOM_SPEC, (params) => {
    const selector = boundedText(params, "selector", MAX_SELECTOR_CHARS);
    const root = typeof options.root === "function" ? options.root() : options.root;
    if (!root) throw new ToolFailure("this page has no part that may be read now");
    const found = outermost(select(root, selector));
    const text = textsOf(found.slice(0, MAX_FOUND)).join("\n");
    const more = found.length - MAX_FOUND;
    if (text.length > MAX_READ_CHARS) return wellFormed(text.slice(0, MAX_READ_CHARS)) + READ_CUT_NOTICE;
    if (text !== "") return more > 0 ? `${text}\n[cut: ${more} more elements match]` : text;
    throw new ToolFailure(
      `nothing with text in the part of the page that may be read matches: ${selector}`,
      "invalid_arguments",
    );
  });
}

/** Gives the texts of elements, without empty ones, until there is more than may be read. */
function textsOf(elements: readonly Element[]): string[] {
  const texts: string[] = [];
  let left = MAX_READ_CHARS;
  for (const element of elements) {
    const text = left < 0 ? "" : pageText(element, left, shownValue);
    if (text !== "") texts.push(text);
    left -= text.length;
  }
  return texts;
}

function select(root: Element, selector: string): Element[] {
  if (TESTS_A_VALUE.test(selector)) {
    const problem = "the selector tests the value of a field, or hides what it tests; leave that out";
    throw new ToolFailure(problem, "invalid_arguments");
  }
  try {
    return [...(root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)];
  } catch {
    throw new ToolFailure(`${selector} is no CSS selector`, "invalid_arguments");
  }
}

/** Leaves out elements inside an earlier one, whose text contains theirs. */
function outermost(elements: readonly Element[]): Element[] {
  const kept: Element[] = [];
  for (const element of elements) if (!kept.at(-1)?.contains(element)) kept.push(element);
  return kept;
}

/** Gives the visible text of a form field, or undefined for a secret one. */
function shownValue(element: Element): string | undefined {
  if (["autocomplete", "name", "id"].some((name) => SECRET.test(element.getAttribute(name) ?? ""))) return undefined;
  if (element instanceof HTMLSelectElement) return [...element.selectedOptions].map((option) => option.text).join(", ");
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (element instanceof HTMLInputElement && SHOWN_INPUTS.has(element.type)) return element.value;
  return undefined;
}
