/** The citations of an answer: where its marks stand, and which sentences rest on which result. */
import type { CitedSentence, Citation } from "../../../src/generated/wire.js";

/** A mark in an answer: its code points from and to, and the calls that it names. */
export interface CitationMark {
  readonly at: readonly [number, number];
  readonly calls: readonly { readonly call_id: string; readonly tool: string; readonly number: string }[];
}

/** A result that an answer names, with the sentences that rest on it. */
export interface Source {
  readonly call_id: string;
  readonly tool: string;
  readonly number: string;
  readonly sentences: readonly string[];
}

/** The number by which an answer cites a call: that of its id. */
export const citedNumber = (call_id: string): string => call_id.replace(/^call_/, "");

/** Gives the marks in their order; `[1, 2]` is one mark of two calls. */
export function citationMarks(citations: readonly Citation[]): CitationMark[] {
  const marks = new Map<number, CitationMark>();
  for (const { call_id, tool, at } of citations) {
    const calls = marks.get(at[0])?.calls ?? [];
    marks.set(at[0], { at, calls: [...calls, { call_id, tool, number: citedNumber(call_id) }] });
  }
  return [...marks.values()];
}

export function sourcesOf(
  answer: string,
  citations: readonly Citation[],
  sentences: readonly CitedSentence[],
): Source[] {
  const points = [...answer];
  const marks = citationMarks(citations);
  const tools = new Map(citations.map(({ call_id, tool }) => [call_id, tool]));
  return [...tools].map(([call_id, tool]) => ({
    call_id,
    tool,
    number: citedNumber(call_id),
    sentences: sentences
      .filter(({ calls }) => calls.includes(call_id))
      .map(({ at }) => withoutMarks(points, at, marks)),
  }));
}

/** Gives a sentence without its marks, which the answer shows. */
function withoutMarks(
  points: readonly string[],
  [begin, end]: readonly [number, number],
  marks: CitationMark[],
): string {
  const inside = marks.filter(({ at }) => at[0] >= begin && at[1] <= end);
  const places = [begin, ...inside.flatMap(({ at }) => at), end];
  const parts = places.flatMap((place, index) => (index % 2 ? [] : [points.slice(place, places[index + 1]).join("")]));
  return parts
    .join("")
    .replaceAll(/(?<!\s)\s+([.,;:!?…])/gu, "$1")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
