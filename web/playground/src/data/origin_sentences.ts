/** What a person has to know of a call before deciding: which of its values come from outside, each in one sentence. */
import type { ArgumentOrigin } from "../../../src/generated/wire.js";
import { valueText } from "../../../src/value_text.js";
import { valueAt } from "./call_text.js";
import { argumentName, originWords } from "./origin_words.js";

export interface OriginSentence {
  /** The value itself, or the argument where the model has worded it. */
  readonly what: string;
  readonly says: string;
  /** Whether the value stands in a result, word for word. */
  readonly isFound: boolean;
  /** The call of that result. */
  readonly call_id?: string | undefined;
}

/** A value that is named in a sentence; a longer one is called by its argument. */
const NAMED_CHARS = 60;

/** sources: what the results of a tool are called, where its name does not say it. */
export function outsideSentences(
  params: Readonly<Record<string, unknown>>,
  origins: readonly ArgumentOrigin[],
  sources: Readonly<Record<string, string>> = {},
): OriginSentence[] {
  return origins
    .filter(({ labels = [] }) => labels.length > 0)
    .map((origin) => ({
      what: named(params, origin.path),
      says: sentence(origin, sources),
      isFound: origin.source === "result",
      call_id: origin.call_id || undefined,
    }));
}

/** The arguments that hold nothing from outside, by whose words they are. */
export function insideWords(origins: readonly ArgumentOrigin[]): string {
  const inside = origins.filter(({ labels = [] }) => labels.length === 0);
  return inside.map((origin) => `${argumentName(origin.path)}: ${originWords(origin).text}`).join(" \u00b7 ");
}

function named(params: Readonly<Record<string, unknown>>, path: string): string {
  const value = valueAt(params, path);
  if (value === undefined) return argumentName(path);
  const text = typeof value === "string" ? value : valueText(value);
  return text.length <= NAMED_CHARS && !text.includes("\n") && text.trim() !== "" ? text : argumentName(path);
}

function sentence(
  { source, tool = "", labels = [] }: ArgumentOrigin,
  sources: Readonly<Record<string, string>>,
): string {
  const kinds = labels.filter((label) => label !== "open").join(" and ");
  const marked = kinds === "" ? "" : ` (${kinds})`;
  switch (source) {
    case "result":
      return `comes from ${Object.hasOwn(sources, tool) ? sources[tool] : `what ${tool} returned`}${marked}, not from you`;
    case "data":
      return `came along with your words${marked}, you did not say it`;
    case "model":
      return `was worded by the model after it had read text from outside${marked}`;
    case "user":
      return `stands in your words${marked}`;
  }
}
