/** Checks logs that are chosen or dropped, one after another, and shows what was found. */
import { sanitize } from "../src/sanitize.js";
import type { ChainVerified } from "../verify/verify_log.mjs";
import { verifyLog } from "../verify/verify_log.mjs";
import type { Chosen } from "./chosen.js";
import { dropped, picked } from "./chosen.js";
import { playgroundLink } from "./playground_link.js";
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

let chosen: readonly Chosen[] = [];
let stopping = new AbortController();

/** Checks what was chosen, instead of what is being checked. */
async function check(logs: readonly Chosen[]): Promise<void> {
  stopping.abort();
  const stop = (stopping = new AbortController());
  chosen = logs;
  results.replaceChildren();
  if (!headHolds(logs)) return;
  const tones: Verdict["tone"][] = [];
  say(
    logs.length === 0 ? "No log was found there. The logs of a folder are its files that end in .jsonl." : "Checking.",
  );
  byId("work").hidden = logs.length === 0;
  for (const log of logs) {
    const tone = await checked(log, stop.signal);
    if (stopping !== stop) return;
    if (tone) tones.push(tone);
    if (stop.signal.aborted) break;
  }
  byId("work").hidden = true;
  const stopped = stop.signal.aborted ? "Stopped. " : "";
  if (logs.length > 0) say(stopped + summaryOf(tones));
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
async function checked(log: Chosen, signal: AbortSignal): Promise<Verdict["tone"] | undefined> {
  const head = givenHead() || (log.head ?? "");
  const seen = { start: new Uint8Array(0), head, isHeadBeside: givenHead() === "", headAt: 0, lines: 0 };
  const watch = (found: Readonly<ChainVerified>): void => {
    seen.lines = found.lines;
    if (found.head === head) seen.headAt = found.lines;
  };
  try {
    const found = await verifyLog(piecesOf(log, seen, signal), undefined, watch);
    const verdict = verdictOf(found, seen);
    await show(log, verdict, found);
    return verdict.tone;
  } catch (error) {
    if (signal.aborted) return undefined;
    await show(log, unread(error));
    return "bad";
  }
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

/** Shows a result: those that are not whole come first. */
async function show(log: Chosen, verdict: Verdict, found?: ChainVerified): Promise<void> {
  const isWhole = verdict.tone === "good";
  if (results.childElementCount >= MOST_SHOWN) {
    const last = results.querySelector(".good:last-child");
    if (isWhole || !last) return;
    last.remove();
  }
  const item = element("li", "");
  item.className = verdict.tone;
  item.append(element("h2", `${MARKS[verdict.tone]} ${verdict.title}`), named(log.name));
  item.append(...verdict.sentences.map((sentence) => element("p", shown(sentence))));
  if (found && found.lines > 0) item.append(facts(found, verdict.tone !== "bad"));
  const link = found && found.lines > 0 ? await playgroundLink(log) : undefined;
  if (link) item.append(link);
  results.insertBefore(item, isWhole ? null : results.querySelector(".good"));
}

const MARKS = { good: "\u2713", bad: "\u2717", open: "\u2026" };

function named(name: string): HTMLElement {
  const whole = element("p", "");
  whole.append(element("bdi", short(name)));
  return whole;
}

/** fit: the hashes of its lines do, so that the head says something. */
function facts({ run_id, lines, head }: ChainVerified, fit: boolean): HTMLElement {
  const list = document.createElement("dl");
  const rows = { Run: run_id, ...(fit && { Lines: amount(lines), Head: head }) };
  for (const [name, value] of Object.entries(rows))
    if (value !== undefined) list.append(element("dt", name), element("dd", short(value)));
  return list;
}

/** Gives an element that holds a text. */
function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Gives text of a log or a file's name as it may be shown: what cannot be seen as escapes, and cut where it is long. */
function short(text: string): string {
  return text.length > MOST_CHARS ? `${shown(text.slice(0, MOST_CHARS))}\u2026` : shown(text);
}

const shown = (text: string): string => sanitize(text).replaceAll("\n", "\\n");

const MOST_CHARS = 200;

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

function begin(logs: Promise<readonly Chosen[]>): void {
  logs.then(check).catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
}

offer("files", "file-input");
offer("folder", "folder-input");
byId("stop").addEventListener("click", () => stopping.abort());
headField.addEventListener("change", () => void (chosen.length > 0 && check(chosen)));
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
for (const ended of ["dragleave", "drop"]) addEventListener(ended, () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  begin(dropped(event.dataTransfer!.items));
});
