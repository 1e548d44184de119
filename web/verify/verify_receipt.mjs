#!/usr/bin/env node
/**
 * Checks logs against a receipt, each decision derived again by the core in WebAssembly.
 *
 * LOG may be a folder: all logs below it are checked, and each run that the receipt names has to have one. --plain does
 * without the core: the signature, the chain and what the lines say, and no decision.
 *
 *     node verify_receipt.mjs LOG RECEIPT PUBLIC_KEY [--plain]
 */
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ReceiptError, runIdOf, verifyReceipt, verifyRun } from "./receipts.mjs";

const MOST_CHARS = 200;
const [DONE, USAGE, MISMATCH] = [0, 2, 6];

/** A receipt and a log are anybody's text: nothing of them reaches the terminal but plain letters. */
const plain = (text) => (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}...` : text).replace(/[^\x20-\x7e]/g, "?"); // prettier-ignore
const say = (text) => console.log(text);
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

async function main(given) {
  const [log, receipt, key, ...more] = given.filter((each) => each !== "--plain");
  if (!key || more.length > 0) return refuse(USAGE, "usage: node verify_receipt.mjs LOG RECEIPT PUBLIC_KEY [--plain]");
  const core = given.includes("--plain") ? undefined : await loadedCore();
  const found = await verifyReceipt(readFileSync(receipt), readFileSync(key));
  say(`signed by ${plain(found.issuer)} with ${found.signer} at ${timeOf(found.issuedAt)} by its clock`);
  const isFolder = statSync(log).isDirectory();
  const logs = isFolder ? logsIn(log) : [log];
  const statements = new Map(found.statements.map((each) => [each.run_id, each]));
  const seen = new Set();
  const wrong = [];
  for (const path of logs) {
    const run_id = await runIdOf(createReadStream(path));
    seen.add(run_id);
    if (!(await holds(path, statements.get(run_id), core))) wrong.push(path);
  }
  const missing = isFolder ? [...statements.keys()].filter((run_id) => !seen.has(run_id)) : [];
  for (const run_id of missing) say(`missing ${plain(run_id)}: the receipt names it, and there is no log of it`);
  return wrong.length + missing.length > 0 ? MISMATCH : DONE;
}

/** Whether a log is what the receipt says of its run; says so. */
async function holds(path, statement, core) {
  try {
    if (!statement) throw new ReceiptError("receipt_mismatch", "the receipt says nothing of the run of this log");
    const run = await verifyRun(createReadStream(path), statement, { core });
    const after = run.linesAfter > 0 ? ` (${run.linesAfter} came since)` : "";
    const what = `${plain(run.run_id)}: ${counted(run.lines, "line")}${after}, ${toldOf(statement)}`;
    say(run.derived ? `verified ${what}; every decision derived again` : `fits ${what}; no decision was derived`);
    return true;
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    say(`wrong ${plain(path)}: ${plain(error.message)}`);
    return false;
  }
}

function toldOf({ acts, acts_left_out, hidden, hidden_for_good }) {
  const texts = Object.values(hidden).reduce((sum, count) => sum + count, hidden_for_good);
  return `${counted(acts.length + acts_left_out, "act")}, ${counted(texts, "hidden text")}`;
}

function logsIn(folder) {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((each) => each.isFile() && each.name.endsWith(".jsonl"));
  return paths.map((each) => join(each.parentPath ?? each.path, each.name)).sort();
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
  return refuse(USAGE, error.path ? `${error.path} cannot be read (${error.code})` : String(error.message));
});
