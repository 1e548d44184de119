#!/usr/bin/env node
/**
 * Checks the hash chain of a log without the core: a second implementation, for people who only want to check.
 *
 * It needs SHA-256 and a JSON parser, and runs in Node, Deno and browsers as it is. docs/log-format.md specifies what it
 * checks. That the decisions follow from the facts is checked by the core's verify_log alone.
 *
 *     node verify_log.mjs log.jsonl [HEAD]
 */
const DERIVED = new Set(
  "tool_call approval_request correction verdict skill_started skill_ended decided switched final_answer run_failed".split(
    " ",
  ),
);
const FACTS = new Set(
  "run_started user_message model_response tool_result approval model_error cancelled resumed agent_changed".split(" "),
);
const LINE_FEED = 0x0a;
const SCHEMA_VERSION = 3;

/**
 * Checks a log; head: its last hash, from a copy kept elsewhere. Without it a change after the last derived line, or
 * lines missing at the end, do not show.
 *
 * Gives { ok, lines, head, code?, message?, line? }: lines checked, the head after them, and what is wrong where.
 */
export async function verifyLog(log, head) {
  const bytes = typeof log === "string" ? new TextEncoder().encode(log) : log;
  const found = { ok: false, lines: 0, head: "" };
  const wrong = (code, message, line = found.lines + 1) => ({ ...found, code, message, line });
  let begin = 0;
  while (begin < bytes.length) {
    const end = bytes.indexOf(LINE_FEED, begin);
    if (end < 0) return wrong("invalid_log", `the last line has no line break (${bytes.length - begin} bytes)`);
    const line = bytes.subarray(begin, end);
    const fault = faultOf(line, found);
    if (fault) return wrong(...fault);
    found.head = await chained(found.head, line);
    found.lines += 1;
    begin = end + 1;
  }
  if (!found.lines) return wrong("invalid_log", "the log holds no line; a log begins with run_started");
  if (head !== undefined && head !== found.head) {
    return wrong("head_mismatch", "the hash chain does not end in the given head", found.lines);
  }
  return { ...found, ok: true };
}

/** Gives the code and words for a line that cannot stand after the lines before it; undefined for one that can. */
function faultOf(line, { lines, head }) {
  let event;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line));
  } catch {
    return ["invalid_log", "expected a JSON object in UTF-8"];
  }
  const kind = event?.kind;
  if (!FACTS.has(kind) && !DERIVED.has(kind))
    return ["invalid_log", `expected an event; got kind ${JSON.stringify(kind)}`];
  if ((kind === "run_started") !== (lines === 0))
    return ["invalid_log", "run_started stands at the beginning, and only there"];
  if (lines === 0 && event.schema_version !== SCHEMA_VERSION) {
    return [
      "unsupported_version",
      `expected schema version ${SCHEMA_VERSION}; got ${JSON.stringify(event.schema_version)}`,
    ];
  }
  if (event.seq !== lines) return ["log_mismatch", `expected seq ${lines}; got ${JSON.stringify(event.seq)}`];
  if (DERIVED.has(kind) && event.prev !== head) {
    return ["log_mismatch", "prev is not the hash of the lines before: one of them was changed, added or taken out"];
  }
  return undefined;
}

/** Gives the head after a line: SHA-256 over the head before it, as 64 hex digits, and the line's bytes. */
async function chained(head, line) {
  const text = new TextEncoder().encode(head);
  const both = new Uint8Array(text.length + line.length);
  both.set(text);
  both.set(line, text.length);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", both));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

if (globalThis.process?.argv?.[1]?.endsWith("verify_log.mjs")) {
  const [path, head] = process.argv.slice(2);
  const say = (text) => console.log(text.replace(/[^\x20-\x7e]/g, "?")); // a log is anybody's text
  let found = { message: "usage: node verify_log.mjs LOG [HEAD]" };
  try {
    if (path) found = await verifyLog(process.getBuiltinModule("node:fs").readFileSync(path), head);
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
