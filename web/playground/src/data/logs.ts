/** Logs as files: download, verify and open. */
import { signal } from "@preact/signals";
import type { Verified } from "../../../src/generated/wire.js";
import { accepted } from "../../../src/errors.js";
import { coreReady } from "../core/load_core.js";
import { openSession } from "./run.js";
import type { Session, Step } from "./steps.js";
import { sessionOfLog } from "./steps.js";
import { keepSession } from "./store.js";

/** The options of a verification. */
export interface CheckOptions {
  /** The head it was compared with; without one, a changed fact in the last lines is not detected. */
  readonly head?: string;
  /** How many lines came after those that the head is of. */
  readonly linesAfter?: number;
  /** Where a byte was changed on purpose, as an index of a line from 1. */
  readonly changed?: number;
  /** The steps on show that it was made of: it says nothing of others. */
  readonly steps?: readonly Step[];
}

/** What checking a text found, together with that text. */
export interface LogCheck extends CheckOptions {
  readonly name: string;
  readonly text: string;
  readonly found: Verified;
}

export const lastCheck = signal<LogCheck | undefined>();

export async function checkLog(name: string, text: string, against: CheckOptions = {}): Promise<LogCheck> {
  const core = await coreReady();
  const found = JSON.parse(accepted(await core.verify_log(text, against.head))) as Verified;
  lastCheck.value = { name, text, found, ...against };
  return lastCheck.value;
}

/** Gives the text with one letter of a fact in the middle changed, to show that verification detects it. */
export function withOneByteChanged(text: string): { text: string; line: number } {
  const lines = text.split("\n");
  const facts = lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => /"kind":"(model_response|tool_result|user_message)"/.test(line));
  const { line, index } = facts[Math.floor(facts.length / 2)] ?? { line: lines[0] ?? "", index: 0 };
  lines[index] = changeLastCharacter(line);
  return { text: lines.join("\n"), line: index + 1 };
}

/** A letter or digit of the line's last value, so that the line is still JSON of the same shape. */
function changeLastCharacter(line: string): string {
  const at = /[a-y0-8](?=[^a-y0-8"]*(?:"[}\]]+|[}\]])$)/i.exec(line)?.index ?? line.length - 2;
  return line.slice(0, at) + String.fromCharCode(line.charCodeAt(at) + 1) + line.slice(at + 1);
}

let opening: Promise<boolean> | undefined;

/** Waits for the log that is being opened and says whether it is on show now; undefined: none is being opened. */
export function logOpened(): Promise<boolean> | undefined {
  return opening;
}

/** Checks a log file and, where it holds, makes it the session on show; gives words for the reader. */
export async function openLog(name: string, text: string | Promise<string>): Promise<string> {
  const work = Promise.resolve(text).then((read) => shownWith(name, read));
  const settled = work
    .then((words) => words !== undefined)
    .catch(() => false)
    .finally(() => (opening = opening === settled ? undefined : opening));
  opening = settled;
  return (await work) ?? "";
}

/** Shows a log that holds and gives the words for it; undefined: it does not hold. */
async function shownWith(name: string, text: string): Promise<string | undefined> {
  const { found } = await checkLog(name, text);
  if (!found.ok && !(await isOnlyCutOff(text))) return undefined;
  const session = await sessionOf(name, text);
  await openSession(session);
  await keepSession(session);
  return found.ok ? "" : "The log ends within a step, as after a crash. The missing lines were derived again.";
}

async function isOnlyCutOff(text: string): Promise<boolean> {
  const core = await coreReady();
  return !(await core.replay_log_lines(text)).startsWith('{"error"');
}

async function sessionOf(name: string, text: string): Promise<Session> {
  const core = await coreReady();
  const [, , lost, , torn] = accepted(await core.replay_log_lines(text)).split("\n") as string[];
  const whole = withoutTornEnd(text, Number(torn)) + (JSON.parse(lost!) as string);
  return sessionOfLog(whole, { id: `opened-${crypto.randomUUID()}`, opened: name });
}

function withoutTornEnd(text: string, torn_bytes: number): string {
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(bytes.subarray(0, bytes.length - torn_bytes));
}

/** Gives the file to the browser to save. */
export function download(name: string, text: string, type = "application/jsonl"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
