#!/usr/bin/env node
/**
 * Checks logs against a receipt, each decision derived again by the core in WebAssembly.
 *
 * LOG may be a folder: all logs below it are checked, and each run that the receipt names has to have one. --plain does
 * without the core: the signature, the chain and what the lines say, and no decision.
 *
 *     node verify_receipt.mjs LOG RECEIPT PUBLIC_KEY [--plain]
 */
import { createReadStream, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { ReceiptError, runIdOf, verifyReceipt, verifyRun } from "./receipts.mjs";
import { verifyLog } from "./verify_log.mjs";

const MOST_CHARS = 200;
const [DONE, USAGE, MISMATCH] = [0, 2, 6];

/** A receipt and a log are anybody's text: nothing of them reaches the terminal but plain letters. */
const plain = (text) => (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}...` : text).replace(/[^\x20-\x7e]/g, "?"); // prettier-ignore
const say = (text) => console.log(text);
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

async function main(given) {
  const [log, receipt, key, ...more] = given.filter((each) => each !== "--plain");
  if (!key || more.length > 0) return refuse(USAGE, "usage: node verify_receipt.mjs LOG RECEIPT PUBLIC_KEY [--plain]");
  const isFolder = statSync(log).isDirectory();
  const logs = isFolder ? logsIn(log) : [log];
  if (logs.length === 0) return refuse(USAGE, `${log} has no *.jsonl below it`);
  const core = given.includes("--plain") ? undefined : await loadedCore();
  const found = await verifyReceipt(readFileSync(receipt), readFileSync(key));
  say(signedWords(found));
  const { wrong, seen } = await checkLogs(logs, found.statements, core);
  const missing = isFolder ? found.statements.filter(({ run_id }) => !seen.has(run_id)) : [];
  for (const { run_id } of missing) say(`missing ${plain(run_id)}: the receipt names it, and there is no log of it`);
  return wrong + missing.length > 0 ? MISMATCH : DONE;
}

function signedWords({ issuer, signer, issuedAt, runs, statements }) {
  const part = runs > statements.length ? `, ${statements.length} of ${runs} runs` : "";
  const by = issuer === signer ? signer : `${plain(issuer)} with ${signer}`;
  return `signed by ${by} at ${timeOf(issuedAt)} by its clock${part}`;
}

/** Checks logs one after another, and says of each what was found; gives how many are wrong, and the runs of all. */
async function checkLogs(logs, statements, core) {
  const byRun = new Map(statements.map((each) => [each.run_id, each]));
  const seen = new Map();
  let wrong = 0;
  for (const path of logs) {
    try {
      const run_id = await knownRunOf(path);
      const first = seen.get(run_id);
      if (first) throw mismatch(`it is of the same run as ${first}; keep one`);
      if (byRun.has(run_id)) seen.set(run_id, path);
      say(await heldWords(path, byRun.get(run_id), core));
    } catch (error) {
      say(`wrong ${plain(path)}: ${plain(wordsOf(error))}`);
      wrong += 1;
    }
  }
  return { wrong, seen };
}

/** Gives the id of the run that a log begins; throws, for a log that begins none, what is wrong with its first line. */
async function knownRunOf(path) {
  const run_id = await runIdOf(createReadStream(path));
  if (run_id) return run_id;
  const { line = 1, message = "it begins no run" } = await verifyLog(createReadStream(path));
  throw new ReceiptError("bad_log", `line ${line}: ${message}`, line);
}

/** Holds a log against what the receipt says of its run, and gives the words for that. */
async function heldWords(path, statement, core) {
  if (!statement) throw mismatch("the receipt says nothing of the run of this log");
  const run = await verifyRun(createReadStream(path), statement, { core });
  const after = run.linesAfter > 0 ? ` (${run.linesAfter} came since)` : "";
  const what = `${plain(run.run_id)}: ${counted(run.lines, "line")}${after}, ${toldOf(statement)}`;
  return run.derived ? `verified ${what}; every decision derived again` : `fits ${what}; no decision was derived`;
}

const mismatch = (message) => new ReceiptError("receipt_mismatch", message);

const wordsOf = ({ path, code, message }) => (path ? `${path} cannot be read (${code})` : String(message));

function toldOf({ acts, acts_left_out, hidden, hidden_for_good }) {
  const texts = Object.values(hidden).reduce((sum, count) => sum + count, hidden_for_good);
  return `${counted(acts.length + acts_left_out, "act")}, ${counted(texts, "hidden text")}`;
}

/** Gives the logs below a folder; links are followed, and each file is there once, by its own name where it has one. */
function logsIn(folder) {
  const pending = [folder];
  const seen = new Set();
  const [files, links] = [[], []];
  while (pending.length > 0) {
    const place = pending.shift();
    const real = realpathSync(place);
    if (seen.has(real)) continue; // listed by another name, and a link to a folder above it has no end
    seen.add(real);
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      const isLink = entry.isSymbolicLink();
      const found = isLink ? targetOf(path) : entry;
      if (found?.isDirectory()) isLink ? pending.push(path) : pending.unshift(path);
      else if (found?.isFile() && path.endsWith(".jsonl")) (isLink ? links : files).push(path);
    }
  }
  return [...new Map([...links, ...files].map((path) => [realpathSync(path), path])).values()].sort();
}

/** Gives what a link leads to; nothing for one that leads nowhere. */
function targetOf(path) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

async function loadedCore() {
  const { loadCore } = await import("../dist/index.js");
  return loadCore();
}

const timeOf = (seconds) =>
  Math.abs(seconds) < 8e12 ? new Date(seconds * 1000).toISOString().replace(".000Z", "Z") : `${seconds} s`;

function refuse(code, message) {
  say(plain(message));
  return code;
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  if (error instanceof ReceiptError) return refuse(error.code === "bad_key" ? USAGE : MISMATCH, error.message);
  return refuse(USAGE, wordsOf(error));
});
