/**
 * A log held against what a receipt says of it.
 *
 * Without a core: its hash chain, and what stands in its lines. With one, every decision is derived again.
 */
import { joined } from "./receipt_cbor.mjs";
import { ReceiptError } from "./receipt_errors.mjs";
import { RunNotes } from "./receipt_notes.mjs";
import { piecesOf, verifyLog } from "./verify_log.mjs";

const LINE_FEED = 0x0a;
/** What a core in WebAssembly is given in one call: with its copies it fits the memory of a page. */
const MOST_DERIVED_BYTES = 128 * 1024 * 1024;
/** What the core says itself of a log that it cannot judge. */
const PASSED_ON = ["unknown_policy", "unsupported_version"];
/** The members of a statement that the log has to lead to, in words, as purestep_hosts.receipts has them. */
const TOLD = {
  run_id: "the run's id",
  head: "the head of the chain",
  definitions: "the digests of the definitions",
  policies: "the policies",
  phase: "where the run stood",
  acts: "the acts",
  acts_left_out: "the number of acts",
  hidden: "the number of hidden texts",
  hidden_for_good: "the number of hidden secrets",
};

/**
 * Holds a log against what a receipt says of it; a log that has grown since still meets it.
 *
 * A blank line and a torn last one are differences wherever they are; the last line may lack its line break. core: a core
 * that derives every decision again. Gives { run_id, lines, linesAfter, derived }. Throws ReceiptError.
 */
export async function verifyRun(log, statement, { core } = {}) {
  const given = core ? await wholeLog(log) : log;
  const { total, fault, notes } = await readLog(given, statement.lines);
  if (total < statement.lines)
    throw new ReceiptError(
      "receipt_mismatch",
      `the log has ${total} lines, and had ${statement.lines}: the others were cut off`,
    );
  if (core) await derive(core, given, statement, notes, fault);
  else {
    if (fault && fault.line <= statement.lines) throw fault;
    expectSame(differing(openForm(notes, statement), statement));
  }
  if (fault) throw fault;
  return { run_id: statement.run_id, lines: statement.lines, linesAfter: total - statement.lines, derived: !!core };
}

/** Gives the run's id in the first line of a log, by which its statement is found; empty for what is no log. */
export async function runIdOf(log) {
  const pieces = [];
  let size = 0;
  for await (const piece of piecesOf(log)) {
    pieces.push(piece);
    size += piece.length;
    if (piece.includes(LINE_FEED) || size > MOST_DERIVED_BYTES) break;
  }
  const bytes = joined(pieces);
  try {
    const { run_id } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, endOfLine(bytes, 1))));
    return typeof run_id === "string" ? run_id : "";
  } catch {
    return "";
  }
}

/** Reads a log once: how many whole lines it has, what is wrong with its chain, and what its first lines say. */
async function readLog(log, lines) {
  const source = new CountedLog(log);
  const notes = new RunNotes();
  const watch = (found, event, text) => {
    if (found.lines > lines) return;
    notes.take(event, text, found.lines);
    notes.head = found.head;
  };
  try {
    const found = await verifyLog(source.pieces(), undefined, watch);
    await source.drain();
    const { isEndAdded, lastBytes } = source;
    const isPart = isEndAdded && found.code === "invalid_log" && found.line === source.lines + 1;
    const fault = isPart ? tornFault(found.line, lastBytes) : found.ok ? undefined : chainFault(found);
    return { total: source.lines + (isEndAdded && !isPart ? 1 : 0), fault, notes };
  } finally {
    await source.close();
  }
}

/** The pieces of a log, with a line break at their end, and how many lines came. */
class CountedLog {
  lines = 0;
  /** Of the last line, where it has no line break. */
  lastBytes = 0;
  isEndAdded = false;
  #source;
  constructor(log) {
    this.#source = piecesOf(log);
  }

  async *pieces() {
    for (let next; !(next = await this.#source.next()).done;) {
      this.#count(next.value);
      yield next.value;
    }
    if (this.lastBytes === 0) return;
    this.isEndAdded = true;
    yield Uint8Array.of(LINE_FEED);
  }

  /** Counts what was not read, since a line before it is wrong. */
  async drain() {
    for (let next; !(next = await this.#source.next()).done;) this.#count(next.value);
    this.isEndAdded = this.lastBytes > 0;
  }

  close() {
    return this.#source.return();
  }

  #count(piece) {
    if (!(piece instanceof Uint8Array)) return; // which is refused where it is read
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) this.lines += 1;
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    this.lastBytes = piece.length - end + (end ? 0 : this.lastBytes);
  }
}

function chainFault({ code, message, line }) {
  const passed = code === "unsupported_version" || code === "input_too_large";
  return new ReceiptError(passed ? code : "bad_log", `line ${line}: ${message}`, line);
}

function tornFault(line, size) {
  const text = `line ${line}: the last line is torn (${size} bytes); go on with the run (--resume), or cut the line off`;
  return new ReceiptError("bad_log", text, line);
}

const isEnded = (phase) => phase === "done" || phase === "failed";

/** Gives the notes with what the lines do not say as the statement has it: that is not held against anything. */
function openForm(notes, statement) {
  const isOpen = !isEnded(statement.phase);
  const untold = isOpen ? statement.acts.slice(notes.acts.length).filter(({ line }) => line === undefined) : [];
  const isMoreLeftOut = isOpen && statement.acts_left_out > notes.acts_left_out;
  return {
    ...allOf(notes),
    definitions: [...notes.definitions, statement.definitions.at(-1)],
    phase: statement.phase,
    acts: [...notes.acts, ...untold],
    ...(isMoreLeftOut && { acts_left_out: statement.acts_left_out }),
  };
}

function allOf({ head, run_id, definitions, policies, acts, acts_left_out, hidden, hidden_for_good }) {
  return { head, run_id, definitions, policies, acts, acts_left_out, hidden, hidden_for_good };
}

const differing = (found, statement) =>
  Object.keys(TOLD).find((name) => written(found[name], name) !== written(statement[name], name));

/** Gives a member as text; two have no order. */
function written(value, name) {
  if (name === "policies") return JSON.stringify(value.map((each) => JSON.stringify(each)).sort());
  return JSON.stringify(name === "hidden" ? Object.entries(value).sort() : value);
}

function expectSame(name) {
  if (name !== undefined)
    throw new ReceiptError("receipt_mismatch", `the log does not lead to what the receipt says: ${TOLD[name]}`);
}

/** Derives every decision of the first lines, holds all members against them, and derives the lines that came since. */
async function derive(core, log, statement, notes, fault) {
  const end = endOfLine(log, statement.lines);
  try {
    const state = await replayed(core, textOf(log.subarray(0, end), fault));
    if (fault?.line <= statement.lines) throw fault; // a blank line, which the core passes over
    const { agent, phase, exchange, head } = state;
    if (!isEnded(phase)) notes.noteActs(exchange.acts, exchange.acts_left_out);
    const found = { ...allOf(notes), head, phase, definitions: [...notes.definitions, agent ?? null] };
    expectSame(differing(found, statement));
  } catch (error) {
    const isFound = error instanceof ReceiptError && error.code !== "receipt_mismatch";
    throw isFound ? await orNewer(core, statement, firstOf(error, fault)) : error;
  }
  if (end === log.length) return;
  // A line that is none to the core is left out by it at the end, unless a line break follows.
  const text = textOf(log, fault);
  await replayed(core, fault || text.endsWith("\n") ? text : `${text}\n`).catch((error) => {
    throw firstOf(error, fault);
  });
}

/** Gives what is wrong first: what the core says of a line, or the chain's fault in a line before it. */
function firstOf(error, fault) {
  return error.code !== "bad_log" || !fault || error.line <= fault.line ? error : fault;
}

/** Gives where a run stands after the lines of a text. */
async function replayed(core, text) {
  const [first, , lost] = (await core.replay_log_lines(text)).split("\n");
  const state = JSON.parse(first);
  if (state.error) throw refused(state.error);
  if (JSON.parse(lost) === "") return state;
  const line = linesIn(text) + 1;
  throw new ReceiptError("bad_log", `line ${line}: the log ends within a step, so nothing vouches for it`, line);
}

function refused({ code, message, path }) {
  const [, line] = /^\/(\d+)$/.exec(path ?? "") ?? [];
  const passed = PASSED_ON.includes(code);
  const words = passed ? message : `the log does not verify, so nothing vouches for it: ${message}`;
  return new ReceiptError(passed ? code : "bad_log", words, line && Number(line));
}

/** Gives the error for a log that does not follow, which a newer core may have written. */
async function orNewer(core, { software }, error) {
  const { version } = JSON.parse(await core.core_info());
  if (!isNewer(software.version, version)) return error;
  return new ReceiptError(
    "newer_core",
    `purestep ${software.version} has signed it and this is ${version}, which does not derive the same; ` +
      `nothing is shown: take that release, and if there is none, the log is false. ${error.message}`,
    error.line,
  );
}

/** Whether a version has a higher number than another; one without numbers counts as newer. */
function isNewer(version, than) {
  const [one, other] = [version, than].map((each) => each.split("."));
  if (![...one, ...other].every((part) => /^\d{1,9}$/.test(part))) return version !== than;
  const at = one.findIndex((part, index) => Number(part) !== Number(other[index] ?? -1));
  return at >= 0 && Number(one[at]) > Number(other[at] ?? -1);
}

async function wholeLog(log) {
  const pieces = [];
  let size = 0;
  for await (const piece of piecesOf(log)) {
    size += piece.length;
    if (size > MOST_DERIVED_BYTES)
      throw new ReceiptError(
        "input_too_large",
        `expected a log of at most ${MOST_DERIVED_BYTES} bytes; purestep on the command line checks longer ones`,
      );
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0] : joined(pieces);
}

function textOf(bytes, fault) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fault ?? new ReceiptError("bad_log", "expected a log in UTF-8");
  }
}

function linesIn(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Gives where a line ends, with its line break. */
function endOfLine(bytes, number) {
  let end = 0;
  for (let line = 0; line < number; line++) {
    const at = bytes.indexOf(LINE_FEED, end);
    if (at < 0) return bytes.length;
    end = at + 1;
  }
  return end;
}
