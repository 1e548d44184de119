/** What a receipt says, in words; all of it is text of who signed, or of a model. */
import type { Statement } from "../verify/receipts.mjs";
import { amount } from "./words.js";

/** Runs and acts past these are counted and not shown. */
export const MOST_SHOWN = 20;

export function actsOf({ acts, acts_left_out }: Statement): string {
  const told = acts.slice(0, MOST_SHOWN).map(({ tool, status, path = [], line }) => {
    const place = line === undefined ? "" : ` (line ${line})`;
    return `${[...path, tool].join(" / ")} ${status}${place}`;
  });
  const more = acts.length + acts_left_out - told.length;
  return [...told, ...(more > 0 ? [`${amount(more)} more`] : [])].join(", ") || "none";
}

export function hiddenIn({ hidden, hidden_for_good }: Statement): string {
  const kinds = Object.entries(hidden).map(([kind, count]) => `${amount(count)} ${kind}`);
  if (hidden_for_good > 0) kinds.push(`${amount(hidden_for_good)} of the host`);
  return kinds.join(", ") || "nothing";
}

export const policiesOf = ({ policies }: Statement): string =>
  policies.map(({ use, version }) => `${use} ${version}`).join(", ") || "none";

/** Gives a time in seconds since 1970. */
export const timeOf = (seconds: number): string =>
  Math.abs(seconds) < 8e12
    ? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`
    : `${seconds} s`;

export const counted = (count: number, word: string): string => `${amount(count)} ${word}${count === 1 ? "" : "s"}`;
