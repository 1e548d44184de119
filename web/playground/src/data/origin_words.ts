/** Whose text something is, in words: of a result by its labels, of an argument by where it stood before. */
import type { ArgumentOrigin } from "../../../src/generated/wire.js";

export interface OriginWords {
  readonly text: string;
  /** Whether anybody may have written it, or it is held apart for another reason: it carries labels. */
  readonly labelled: boolean;
}

/** What the labels of a tool's result say, a label each; with the tool, if its name is given. */
export function labelWords(labels: readonly string[], tool: string): OriginWords[] {
  return labels.map((label) => ({ text: tool ? `${named(label)}: ${tool}` : named(label), labelled: true }));
}

/** Where the text of an argument came from. */
export function originWords({ source, tool, labels = [] }: ArgumentOrigin): OriginWords {
  const labelled = labels.length > 0;
  switch (source) {
    case "user":
      return { text: "your words", labelled };
    case "data":
      return { text: "what came with your words", labelled };
    case "result":
      return { text: labelled ? `${labels.map(named).join(", ")}: ${tool}` : `from ${tool}`, labelled };
    case "model":
      return {
        text: labelled ? `worded by the model, having read ${readWords(labels)}` : "worded by the model",
        labelled,
      };
  }
}

/** The place of an argument, as people write it: `to`, not `/to`. */
export function argumentName(path: string): string {
  return path === "" ? "the call" : path.slice(1);
}

function readWords(labels: readonly string[]): string {
  return labels.map((label) => (label === "open" ? "text from outside" : `${label} text`)).join(", ");
}

function named(label: string): string {
  return label === "open" ? "from outside" : label;
}
