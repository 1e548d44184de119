/** What the page says in words. */
import type { Hints } from "../src/approval_codes/index.js";

/** What a tool's definition says of its effects, as verbs; empty where it says nothing. */
export function effectWords(hints: Hints = {}): string {
  const said = [
    hints.readOnlyHint === true && "only reads",
    hints.readOnlyHint === false && hints.destructiveHint !== true && "changes something",
    hints.destructiveHint === true && "may destroy something",
    hints.idempotentHint === true && "does nothing more when it runs again",
    hints.openWorldHint === true && "reaches beyond its own system",
  ];
  return said.filter(Boolean).join(", ");
}

/** A time that is left, in words. */
export function leftWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** What was answered, as a title. */
export function answerTitle(answers: readonly { readonly approved: boolean }[]): string {
  const yes = answers.filter(({ approved }) => approved).length;
  if (yes === answers.length) return "Approved";
  return yes === 0 ? "Refused" : `${yes} of ${answers.length} approved`;
}
