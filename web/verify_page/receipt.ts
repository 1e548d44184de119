/** A receipt and its key: who signed what of which runs, and whether logs are those. No decision is derived here. */
import type { Receipt, Statement } from "../verify/receipts.mjs";
import { verifyReceipt, verifyRun } from "../verify/receipts.mjs";
import type { LogSource } from "../verify/verify_log.mjs";
import type { Files } from "./chosen.js";
import { actsOf, counted, hiddenIn, MOST_SHOWN, policiesOf, timeOf } from "./receipt_words.js";
import type { Verdict } from "./words.js";
import { amount, lines } from "./words.js";

const MOST_RECEIPT_BYTES = 256 * 1024 * 1024;
const MOST_KEY_BYTES = 100_000;

/** Checks who has signed a receipt; undefined: no receipt and no key was chosen. */
export async function checkReceipt({
  receipt,
  key,
}: Files): Promise<{ verdict: Verdict; signed?: Receipt } | undefined> {
  if (!receipt && !key) return undefined;
  if (!receipt || !key) return { verdict: receipt ? WITHOUT_KEY : WITHOUT_RECEIPT };
  try {
    const bytes = await bytesOf(receipt.file, MOST_RECEIPT_BYTES);
    const signed = await verifyReceipt(bytes, await bytesOf(key.file, MOST_KEY_BYTES));
    return { verdict: signedWords(signed), signed };
  } catch (error) {
    return {
      verdict: { tone: "bad", title: "The receipt does not hold", sentences: [`What is wrong: ${wordsOf(error)}.`] },
    };
  }
}

const WITHOUT_KEY: Verdict = {
  tone: "open",
  title: "Nothing shows yet who signed the receipt",
  sentences: ["Add the public key of who signs, a file that ends in .pub or .pem, from where you trust it."],
};

const WITHOUT_RECEIPT: Verdict = {
  tone: "open",
  title: "A key alone checks nothing",
  sentences: ["Add the receipt that was signed with it, a file that ends in .receipt."],
};

async function bytesOf(file: File, most: number): Promise<Uint8Array> {
  if (file.size > most) throw new RangeError(`${file.name} has more than ${amount(most)} bytes`);
  return new Uint8Array(await file.arrayBuffer());
}

function signedWords({ statements, runs, issuer, issuedAt, signer }: Receipt): Verdict {
  const part = runs > statements.length ? ` of the ${amount(runs)} that were signed together` : "";
  return {
    tone: "good",
    title: "The receipt is signed with this key",
    sentences: [
      `It says what ${counted(statements.length, "run")}${part} did. The issuer and the time are the words of who signed, and a key is worth what you know of its owner.`,
    ],
    rows: [
      ["Issuer", issuer],
      ["Key", signer],
      ["Signed at", timeOf(issuedAt)],
    ],
  };
}

/** Says what a receipt tells of runs of which no log is here; undefined: of each there is one. */
export function unseenRuns({ statements }: Receipt, seen: ReadonlySet<string>, logs: number): Verdict | undefined {
  const unseen = statements.filter(({ run_id }) => !seen.has(run_id));
  if (unseen.length === 0) return undefined;
  const more = unseen.length > MOST_SHOWN ? [`And ${amount(unseen.length - MOST_SHOWN)} more.`] : [];
  return {
    tone: logs === 0 ? "open" : "bad",
    title: logs === 0 ? "What was signed, without a log" : `No log of ${counted(unseen.length, "run")} is here`,
    sentences: ["Nothing here shows that it is so: add the logs.", ...more],
    rows: unseen.slice(0, MOST_SHOWN).map((each) => [each.run_id, saidOf(each)]),
  };
}

/** Holds a log whose chain is whole against a receipt. */
export async function runVerdict(log: LogSource, run_id: string, { statements }: Receipt): Promise<Verdict> {
  const statement = statements.find((each) => each.run_id === run_id);
  if (!statement)
    return { tone: "bad", title: "The receipt says nothing of this run", sentences: ["It names other runs."] };
  try {
    const { linesAfter } = await verifyRun(log, statement);
    return heldWords(statement, linesAfter);
  } catch (error) {
    return { tone: "bad", title: "It is not the log of the receipt", sentences: [`What is wrong: ${wordsOf(error)}.`] };
  }
}

function heldWords(statement: Statement, after: number): Verdict {
  const since = after === 0 ? "" : ` ${lines(after)} came since.`;
  return {
    tone: "good",
    title: "It is the log of the receipt",
    sentences: [
      `${lines(statement.lines)} have the head, the acts, the policies and the hidden texts that were signed.${since}`,
      "No decision was derived here: who signed may have written a false one. The core shows that, in the playground or by purestep verify.",
    ],
    rows: [
      ["Acts", actsOf(statement)],
      ["Hidden", hiddenIn(statement)],
      ["Policies", policiesOf(statement)],
    ],
  };
}

const saidOf = (statement: Statement): string =>
  `${lines(statement.lines)}, ${counted(statement.acts.length + statement.acts_left_out, "act")}`;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
