/** What a person is told of a checked log. */
import type { ChainVerified } from "../verify/verify_log.mjs";

/** What is known of a log besides what the check found. */
export interface Seen {
  /** The first bytes of the file. */
  readonly start: Uint8Array;
  /** The head that it is held against: typed by the user, or in the file `head` beside it; empty without one. */
  readonly head: string;
  readonly isHeadBeside: boolean;
  /** After how many lines the chain had that head; 0: never. */
  readonly headAt: number;
}

export interface Verdict {
  readonly tone: "good" | "bad" | "open";
  readonly title: string;
  readonly sentences: readonly string[];
  /** What is shown below them, by name. */
  readonly rows?: readonly (readonly [name: string, text: string])[];
}

/** Gives the verdict on a log. */
export function verdictOf(found: ChainVerified, seen: Seen): Verdict {
  if (found.torn_bytes && found.lines > 0) return unfinished(found);
  if (!found.ok) return wrong(found, seen);
  if (seen.head && !seen.headAt)
    return {
      tone: "bad",
      title: "It does not end in this head",
      sentences: [
        `The hashes of its ${lines(found.lines)} fit each other, but none of them is the head ${givenBy(seen)}.`,
        "So it is another log, or lines were changed or are missing at its end, or it was written anew as a whole.",
      ],
    };
  return { tone: "good", title: "Its chain is whole", sentences: [settledBy(found, seen)] };
}

function settledBy(found: ChainVerified, seen: Seen): string {
  if (!seen.head)
    return "No line before the last one of the core was changed. Without a head from elsewhere, missing lines at its end do not show.";
  const after = found.lines - seen.headAt;
  if (after === 0) return `It ends in the head ${givenBy(seen)}, so no byte of it was changed.`;
  return `The head ${givenBy(seen)} is that of line ${amount(seen.headAt)}: up to there no byte was changed. ${after === 1 ? "One line came" : `${lines(after)} came`} after it.`;
}

const givenBy = (seen: Seen): string => (seen.isHeadBeside ? "in the file beside it" : "that you gave");

function unfinished(found: ChainVerified): Verdict {
  return {
    tone: "open",
    title: `Whole so far: line ${amount(found.lines + 1)} is not finished`,
    sentences: [
      `The file ends within a line, after ${amount(found.torn_bytes!)} bytes of it: the run is still being written, or it was cut off, as by a crash.`,
      `The hashes of the ${lines(found.lines)} before it fit.`,
    ],
  };
}

function wrong(found: ChainVerified, { start }: Seen): Verdict {
  const form = found.line === 1 ? formOf(start) : "";
  const title = form || !found.line ? "This is no log that can be read" : `Line ${amount(found.line)} is wrong`;
  return {
    tone: "bad",
    title,
    sentences: form ? [form] : [`What is wrong: ${found.message}.`, meaningOf(found, start)],
  };
}

function meaningOf({ code, line }: ChainVerified, start: Uint8Array): string {
  switch (code) {
    case "log_mismatch":
      return hasCarriageReturn(start)
        ? "The lines of this file end as on Windows (CR LF). A log ends them with LF alone; an editor or a transfer has changed them, so take the file as it was written."
        : "Since the line was written, at least one up to it was changed, added, moved or taken out. Do not rely on this log; compare it with a copy.";
    case "unsupported_version":
      return "Another version of purestep has written it: check it with that one.";
    case "input_too_large":
      return "No run writes such a line, and this page reads no longer one.";
    default:
      return line === 1
        ? "A log of purestep begins with the line run_started. This file is something else, or its beginning was changed."
        : "No run writes this in this place. The file was changed, or two logs stand in it: keep each run in a file of its own.";
  }
}

/** Gives words for a file that is no text of a log, by its first bytes; empty for one that may be. */
function formOf(start: Uint8Array): string {
  const begins = (...bytes: number[]): boolean => bytes.every((byte, at) => start[at] === byte);
  if (start.length === 0) return "The file is empty. A log has a line at least, run_started.";
  if (begins(0x50, 0x4b, 0x03, 0x04)) return "This is a zip archive. Unpack it, and drop the logs that are in it.";
  if (begins(0x1f, 0x8b)) return "This is a gzip file. Unpack it, and drop the log that is in it.";
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff))
    return "This file is in UTF-16. A log is in UTF-8: an editor or a transfer has changed it, so take the file as it was written.";
  if (begins(0xef, 0xbb, 0xbf))
    return "This file begins with a byte order mark. A log has none: an editor or a transfer has added it, so take the file as it was written.";
  return start.includes(0) ? "This file holds zero bytes, so it is no text: it is something else than a log." : "";
}

function hasCarriageReturn(start: Uint8Array): boolean {
  const end = start.indexOf(0x0a);
  return end > 0 && start[end - 1] === 0x0d;
}

/** Gives the one sentence that is read out when all is checked. */
export function summaryOf(tones: readonly Verdict["tone"][]): string {
  const count = (tone: Verdict["tone"]): number => tones.filter((each) => each === tone).length;
  if (tones.length === 0) return "";
  const parts = [
    count("good") && `${amount(count("good"))} whole`,
    count("bad") && `${amount(count("bad"))} wrong`,
    count("open") && `${amount(count("open"))} not finished`,
  ].filter(Boolean);
  return `${tones.length === 1 ? "1 log" : `${amount(tones.length)} logs`} checked: ${parts.join(", ")}.`;
}

export const amount = (number: number): string => number.toLocaleString("en");

export const lines = (count: number): string => (count === 1 ? "1 line" : `${amount(count)} lines`);
