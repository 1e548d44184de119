#!/usr/bin/env node
/**
 * Checks the hash chain of a log without the core: a second implementation, for people who only want to check.
 *
 * It needs SHA-256 (of `@noble/hashes`, which the package has as one file) and a JSON parser, and runs in Node, Deno and
 * browsers as it is. docs/log-format.md specifies what it checks. That the decisions follow from the facts is checked by the core's verify_log alone.
 *
 *     node verify_log.mjs log.jsonl [HEAD]
 */
import { sha256 } from "../dist/core/noble_sha256.js";

const DERIVED = new Set(
  "tool_call approval_request correction verdict skill_started skill_ended child_ended decided switched final_answer run_failed".split(
    " ",
  ),
);
const FACTS = new Set(
  "run_started user_message model_response tool_result tool_pending approval model_error cancelled resumed agent_changed child".split(
    " ",
  ),
);
const LINE_FEED = 0x0a;
const SCHEMA_VERSION = 3;
/** What the core takes in one call: no line of a real run comes near it. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Checks a log, a line at a time: as text, bytes, or pieces of bytes as a file or a stream gives them.
 *
 * head: its last hash, from a copy kept elsewhere. Without it a change after the last derived line, or lines missing at
 * the end, do not show. watch: is given what was found so far, after each line, and that line as an object and as text.
 *
 * Gives { ok, lines, head, run_id?, code?, message?, line?, torn_bytes? }: lines checked, the head after them, and what is
 * wrong where; torn_bytes: of a last line without its line break, as in a log that is still being written.
 */
export async function verifyLog(log, head, watch = () => undefined) {
  const found = { ok: false, lines: 0, head: "" };
  const wrong = (code, message, line = found.lines + 1) => ({ ...found, code, message, line });
  let begun = new Uint8Array(0); // a line of which more is to come, in its first `size` bytes
  let size = 0;
  for await (const piece of piecesOf(log)) {
    if (!(piece instanceof Uint8Array))
      throw new TypeError(`expected pieces of bytes (Uint8Array); got ${told(piece)}`);
    for (let begin = 0; begin < piece.length;) {
      const end = piece.indexOf(LINE_FEED, begin);
      let line = piece.subarray(begin, end < 0 ? piece.length : end);
      const length = size + line.length;
      if (length > MOST_LINE_BYTES)
        return wrong("input_too_large", `expected a line of at most ${MOST_LINE_BYTES} bytes`);
      if (size || end < 0) {
        if (length > begun.length) begun = grown(begun, length);
        begun.set(line, size);
        line = begun.subarray(0, (size = length));
      }
      if (end < 0) break;
      const read = readLine(line);
      const fault = faultOf(read, found);
      if (fault) return wrong(...fault);
      found.head = chained(found.head, line);
      found.lines += 1;
      watch(found, read.event, read.text);
      size = 0;
      begin = end + 1;
    }
  }
  if (size) return { ...wrong("invalid_log", `the last line has no line break (${size} bytes)`), torn_bytes: size };
  if (!found.lines) return wrong("invalid_log", "the log holds no line; a log begins with run_started");
  if (head !== undefined && head !== found.head) {
    return wrong("head_mismatch", "the hash chain does not end in the given head", found.lines);
  }
  return { ...found, ok: true };
}

/** Gives a log as pieces of its bytes. */
export async function* piecesOf(log) {
  if (typeof log === "string") yield new TextEncoder().encode(log);
  else if (log instanceof Uint8Array) yield log;
  else if (log[Symbol.asyncIterator] || log[Symbol.iterator]) yield* log;
  else yield* readBy(log.getReader()); // a stream of a browser that cannot iterate over one
}

async function* readBy(reader) {
  try {
    for (let next; !(next = await reader.read()).done;) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Gives bytes with room for so many, and for as many again. */
function grown(bytes, length) {
  const larger = new Uint8Array(Math.min(length * 2, MOST_LINE_BYTES));
  larger.set(bytes);
  return larger;
}

/** Gives a line as text and as what its JSON holds; neither for what is no JSON in UTF-8, but whether it is blank. */
function readLine(line) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    return { text, event: JSON.parse(text) };
  } catch {
    return { isBlank: line.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) }; // white space of ASCII
  }
}

/** Gives the code and words for a line that cannot stand after the lines before it; undefined for one that can. */
function faultOf({ event, isBlank }, found) {
  if (isBlank) return ["invalid_log", "a blank line; a log has none"];
  if (event === undefined) return ["invalid_log", "expected a JSON object in UTF-8"];
  const { kind, seq, prev, schema_version, run_id } = event ?? {};
  if (!FACTS.has(kind) && !DERIVED.has(kind)) return ["invalid_log", `expected an event; got kind ${told(kind)}`];
  if ((kind === "run_started") !== (found.lines === 0))
    return ["invalid_log", "run_started stands at the beginning, and only there"];
  if (found.lines === 0) {
    if (schema_version !== SCHEMA_VERSION)
      return ["unsupported_version", `expected schema version ${SCHEMA_VERSION}; got ${told(schema_version)}`];
    if (typeof run_id === "string") found.run_id = run_id;
  }
  if (seq !== found.lines) return ["log_mismatch", `expected seq ${found.lines}; got ${told(seq)}`];
  if (
    (DERIVED.has(kind) || ((kind === "child" || kind === "agent_changed") && prev !== undefined)) &&
    prev !== found.head
  ) {
    return ["log_mismatch", "prev is not the hash of the lines before: one of them was changed, added or taken out"];
  }
  return undefined;
}

/** Gives the words for a value of a line, which may be of any kind and size. */
function told(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "number" && !Number.isSafeInteger(value)) return "a number that no log has";
  return value === null || typeof value !== "object" ? String(value) : Array.isArray(value) ? "a list" : "an object";
}

/** Gives the head after a line: SHA-256 over the head before it, as 64 hex digits, and the line's bytes. */
function chained(head, line) {
  const both = new Uint8Array(head.length + line.length);
  new TextEncoder().encodeInto(head, both);
  both.set(line, head.length);
  return Array.from(sha256(both), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

if (globalThis.process?.argv?.[1]?.endsWith("verify_log.mjs")) {
  const [path, head] = process.argv.slice(2);
  const say = (text) => console.log(text.replace(/[^\x20-\x7e]/g, "?")); // a log is anybody's text
  let found = { message: "usage: node verify_log.mjs LOG [HEAD]" };
  try {
    if (path) found = await verifyLog(process.getBuiltinModule("node:fs").createReadStream(path), head);
  } catch (error) {
    found = { message: `${path} cannot be read (${error.code ?? error.message})` };
  }
  say(
    found.ok
      ? `verified ${found.lines} lines, head ${found.head}`
      : `${found.line ? `line ${found.line}: ` : ""}${found.message}`,
  );
  process.exitCode = found.ok ? 0 : found.line ? 6 : 2;
}
