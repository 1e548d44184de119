/** Heads that were kept elsewhere: a log is held against one, or against an anchor as the command writes it. */
import type { CheckOptions, LogCheck } from "./logs.js";
import { checkLog, lastCheck } from "./logs.js";

const HEAD = /^[0-9a-f]{64}$/;

interface Anchor {
  readonly run_id: string;
  readonly lines: number;
  readonly head: string;
}

/** Checks a log against what a person has kept of it; throws for text that is neither a head nor an anchor. */
export async function checkKept(name: string, text: string, kept: string, rest: CheckOptions = {}): Promise<LogCheck> {
  const given = kept.trim();
  const anchor = given.startsWith("{") ? anchorOf(given) : undefined;
  const head = anchor?.head ?? given.toLowerCase();
  if (!HEAD.test(head))
    throw new Error("A head has 64 digits of 0-9 and a-f, as purestep verify prints it; an anchor is JSON.");
  const lines = text.split("\n").slice(0, -1);
  const count = anchor?.lines ?? (await linesUpTo(lines, head)) ?? lines.length;
  if (count >= lines.length) return checkLog(name, text, { ...rest, head });
  const begin = lines.slice(0, count).map((line) => `${line}\n`);
  const checked = await checkLog(name, begin.join(""), { ...rest, head });
  if (!checked.found.ok) return checked;
  const whole = await checkLog(name, text, rest);
  const found: LogCheck = { ...whole, head, linesAfter: lines.length - count };
  lastCheck.value = found;
  return found;
}

function anchorOf(text: string): Anchor {
  const read = parsed(text) as Partial<Anchor> | undefined;
  if (typeof read?.head !== "string" || !Number.isSafeInteger(read.lines) || read.lines! < 1)
    throw new Error("Expected an anchor with its lines and its head, as purestep anchor writes it.");
  return read as Anchor;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Gives how many lines hash to a head; undefined where none do. */
async function linesUpTo(lines: readonly string[], head: string): Promise<number | undefined> {
  let here = "";
  for (const [index, line] of lines.entries()) {
    here = await hashed(here + line);
    if (here === head) return index + 1;
  }
  return undefined;
}

async function hashed(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
