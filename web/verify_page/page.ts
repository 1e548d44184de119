/** Checks logs that are chosen or dropped, one after another, and against a receipt; shows what was found. */
import { sanitize } from "../src/sanitize.js";
import type { Receipt } from "../verify/receipts.mjs";
import type { ChainVerified } from "../verify/verify_log.mjs";
import { verifyLog } from "../verify/verify_log.mjs";
import type { Chosen, Files } from "./chosen.js";
import { dropped, picked } from "./chosen.js";
import { playgroundLink } from "./playground_link.js";
import { checkReceipt, runVerdict, unseenRuns } from "./receipt.js";
import type { Verdict } from "./words.js";
import { amount, lines, summaryOf, verdictOf } from "./words.js";

/** Results past these are counted and not shown, but for wrong ones. */
const MOST_SHOWN = 200;
/** The page draws after so many milliseconds of work. */
const SLICE_MS = 50;
/** First bytes that are kept, to tell what a file is that is no log: its first line often ends within them. */
const START_BYTES = 64 * 1024;

const byId = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const results = byId("results");
const headField = byId<HTMLInputElement>("head");

let chosen: Files = { logs: [] };
let stopping = new AbortController();

/** Checks what was chosen, instead of what is being checked. */
async function check(files: Files): Promise<void> {
  stopping.abort();
  const stop = (stopping = new AbortController());
  chosen = files;
  results.replaceChildren();
  if (!headHolds(files.logs)) return;
  say(files.logs.length === 0 && !files.receipt && !files.key ? NONE_FOUND : "Checking.");
  const receipt = await checkReceipt(files);
  if (stopping !== stop) return;
  if (receipt) await show(undefined, receipt.verdict);
  const found = await checkLogs(files.logs, receipt?.signed, stop);
  if (found === undefined) return;
  const unseen = receipt?.signed && !stop.signal.aborted && unseenRuns(receipt.signed, found.runs, files.logs.length);
  if (unseen) await show(undefined, unseen);
  const parts = [receipt && `${receipt.verdict.title}.`, summaryOf(found.tones)].filter(Boolean);
  if (receipt || files.logs.length > 0) say((stop.signal.aborted ? "Stopped. " : "") + parts.join(" "));
}

const NONE_FOUND = "No log was found there. The logs of a folder are its files that end in .jsonl.";

/** Checks logs one after another; undefined: others were chosen meanwhile. */
async function checkLogs(
  logs: readonly Chosen[],
  signed: Receipt | undefined,
  stop: AbortController,
): Promise<{ tones: Verdict["tone"][]; runs: Set<string> } | undefined> {
  const found = { tones: [] as Verdict["tone"][], runs: new Set<string>() };
  byId("work").hidden = logs.length === 0;
  for (const log of logs) {
    const one = await checked(log, signed, stop.signal);
    if (stopping !== stop) return undefined;
    if (one) found.tones.push(one.tone);
    if (one?.run_id !== undefined) found.runs.add(one.run_id);
    if (stop.signal.aborted) break;
  }
  byId("work").hidden = true;
  return found;
}

/** Whether the head that was given can be one; says what is wrong with it. */
function headHolds(logs: readonly Chosen[]): boolean {
  const head = givenHead();
  const trouble =
    head && !/^[0-9a-f]{64}$/.test(head)
      ? `A head has 64 hex digits; this has ${amount(head.length)} characters, or others than those.`
      : head && logs.length > 1
        ? "The head is that of one log: choose that log alone, or clear the head."
        : "";
  headField.setAttribute("aria-invalid", String(trouble !== ""));
  if (trouble) say(trouble);
  return trouble === "";
}

const givenHead = (): string => headField.value.trim().toLowerCase();

/** Checks one log and shows what was found; undefined: it was stopped. */
async function checked(
  log: Chosen,
  signed: Receipt | undefined,
  signal: AbortSignal,
): Promise<{ tone: Verdict["tone"]; run_id?: string | undefined } | undefined> {
  const head = givenHead() || (log.head ?? "");
  const seen = { start: new Uint8Array(0), head, isHeadBeside: givenHead() === "", headAt: 0, lines: 0 };
  const watch = (found: Readonly<ChainVerified>): void => {
    seen.lines = found.lines;
    if (found.head === head) seen.headAt = found.lines;
  };
  try {
    const found = await verifyLog(piecesOf(log, seen, signal), undefined, watch);
    const verdicts = [verdictOf(found, seen)];
    if (signed && verdicts[0]!.tone !== "bad")
      verdicts.unshift(await runVerdict(piecesOf(log, seen, signal), found.run_id ?? "", signed));
    const verdict = together(verdicts, head !== "");
    await show(log, verdict, found);
    return { tone: verdict.tone, run_id: found.run_id };
  } catch (error) {
    if (signal.aborted) return undefined;
    await show(log, unread(error));
    return { tone: "bad" };
  }
}

/** Gives the verdicts by a receipt and by the chain as one; hasHead: the chain was held against a head as well. */
function together([first, second]: readonly Verdict[], hasHead: boolean): Verdict {
  // The head that was signed is told already, and a last line that the receipt's check has taken is whole.
  const isTold = second?.tone === "good" || first!.tone === "good";
  if (!second || (isTold && !hasHead)) return first!;
  const tone = first!.tone === "good" ? second.tone : first!.tone;
  return { ...first!, tone, sentences: [...first!.sentences, `${second.title}. ${second.sentences.join(" ")}`] };
}

function unread(error: unknown): Verdict {
  const name = error instanceof DOMException ? error.name : "";
  const words =
    name === "NotReadableError" || name === "NotFoundError"
      ? "It was changed while it was being read, as the log of a run that goes on, or the browser may not read it. Choose it again."
      : String(error);
  return { tone: "bad", title: "This file cannot be read", sentences: [words] };
}

interface Progress {
  start: Uint8Array;
  lines: number;
}

/** Gives the bytes of a log as they are read; shows how far it is, and lets the page draw in between. */
async function* piecesOf({ name, file }: Chosen, seen: Progress, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let read = 0;
  let drawn = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (read === 0) seen.start = next.value.slice(0, START_BYTES);
      read += next.value.length;
      yield next.value;
      if (performance.now() - drawn < SLICE_MS) continue;
      drawn = performance.now();
      showProgress(
        `${short(name)}: ${megabytes(read)} of ${megabytes(file.size)}, ${lines(seen.lines)}`,
        read,
        file.size,
      );
      await new Promise((done) => setTimeout(done));
      signal.throwIfAborted();
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function showProgress(words: string, read: number, size: number): void {
  const bar = byId<HTMLProgressElement>("bar");
  bar.max = size;
  bar.value = read;
  byId("read").textContent = words;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Shows a result: what is of a receipt (no log) comes first, then logs that are not whole. */
async function show(log: Chosen | undefined, verdict: Verdict, found?: ChainVerified): Promise<void> {
  const isWhole = verdict.tone === "good" && log !== undefined;
  if (results.childElementCount >= MOST_SHOWN) {
    const last = results.querySelector(`${LOGS_THAT_HOLD}:last-child`);
    if (isWhole || !last) return;
    last.remove();
  }
  const item = element("li", "");
  item.className = log ? verdict.tone : `${verdict.tone} of-receipt`;
  item.append(element("h2", `${MARKS[verdict.tone]} ${verdict.title}`));
  if (log) item.append(named(log.name));
  item.append(...verdict.sentences.map((sentence) => element("p", shown(sentence))));
  const read = found && found.lines > 0 ? found : undefined;
  const rows = [...(read ? facts(read, verdict.tone !== "bad") : []), ...(verdict.rows ?? [])];
  if (rows.length > 0) item.append(listOf(rows));
  const link = read && log ? await playgroundLink(log) : undefined;
  if (link) item.append(link);
  const before = log ? results.querySelector(LOGS_THAT_HOLD) : results.querySelector("li:not(:first-child)");
  results.insertBefore(item, isWhole ? null : before);
}

const LOGS_THAT_HOLD = ".good:not(.of-receipt)";
const MARKS = { good: "\u2713", bad: "\u2717", open: "\u2026" };

function named(name: string): HTMLElement {
  const whole = element("p", "");
  whole.append(element("bdi", short(name)));
  return whole;
}

/** fit: the hashes of its lines do, so that the head says something. */
function facts({ run_id, lines, head }: ChainVerified, fit: boolean): [string, string][] {
  const rows: [string, string][] = run_id === undefined ? [] : [["Run", short(run_id)]];
  return fit ? [...rows, ["Lines", amount(lines)], ["Head", head]] : rows;
}

function listOf(rows: readonly (readonly [string, string])[]): HTMLElement {
  const list = document.createElement("dl");
  for (const [name, text] of rows) list.append(element("dt", short(name)), element("dd", short(text, MOST_ROW_CHARS)));
  return list;
}

/** Gives an element that holds a text. */
function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Gives text of a log or a file's name as it may be shown: what cannot be seen as escapes, and cut where it is long. */
function short(text: string, most = MOST_CHARS): string {
  return text.length > most ? `${shown(text.slice(0, most))}\u2026` : shown(text);
}

const shown = (text: string): string => sanitize(text).replaceAll("\n", "\\n");

const MOST_CHARS = 200;
/** Twenty acts with common names. */
const MOST_ROW_CHARS = 2000;

const say = (words: string): void => void (byId("summary").textContent = words);

/** Shows the field of files for a button, and checks what is chosen there. */
function offer(button: string, field: string): void {
  const input = byId<HTMLInputElement>(field);
  byId(button).addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const files = input.files!;
    if (files.length > 0) begin(picked(files));
    input.value = ""; // the same file may be chosen again
  });
}

/** A receipt and a key that were chosen before stay, and so do logs where none is chosen now. */
function begin(files: Promise<Files>): void {
  const added = files.then(({ logs, ...more }) => {
    const kept = Object.keys(more).length > 0 && logs.length === 0 ? chosen.logs : logs;
    return { ...chosen, ...more, logs: kept };
  });
  added.then(check).catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
}

offer("files", "file-input");
offer("folder", "folder-input");
byId("stop").addEventListener("click", () => stopping.abort());
headField.addEventListener("change", () => void (chosen.logs.length > 0 && check(chosen)));
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
for (const ended of ["dragleave", "drop"]) addEventListener(ended, () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  begin(dropped(event.dataTransfer!.items));
});
