/** Receipts: who signed what of a run, and whether the log on show is that, each of its decisions derived again. */
import { signal } from "@preact/signals";
import type { CheckedRun, Receipt, Statement } from "../../../verify/receipts.mjs";
import { coreReady } from "../core/load_core.js";
import { wordsOf } from "./notices.js";

/** What checking a receipt found; `of`: the log that it was held against, which stays the same object. */
export interface ReceiptCheck {
  readonly of: unknown;
  readonly signed?: Receipt;
  readonly statement?: Statement;
  readonly run?: CheckedRun;
  /** What is wrong, and the line of the log that is. */
  readonly wrong?: { readonly message: string; readonly line?: number | undefined };
  /** What has to be added before anything is checked. */
  readonly missing?: "receipt" | "key";
}

export const lastReceipt = signal<ReceiptCheck | undefined>();

const KEY = /\.(pub|pem)$/i;
const MOST_BYTES = 256 * 1024 * 1024;
const chosen: { receipt?: File; key?: File } = {};

/** Takes a receipt, a key or both, beside those that were chosen before, and holds a log against them. */
export async function checkReceipt(files: readonly File[], log: { text: string; of: unknown }): Promise<ReceiptCheck> {
  for (const file of files) chosen[KEY.test(file.name) ? "key" : "receipt"] = file;
  const { receipt, key } = chosen;
  lastReceipt.value = { of: log.of, ...(receipt && key ? await found(receipt, key, log.text) : missingOf(receipt)) };
  return lastReceipt.value;
}

const missingOf = (receipt?: File): Partial<ReceiptCheck> => ({ missing: receipt ? "key" : "receipt" });

async function found(receipt: File, key: File, text: string): Promise<Partial<ReceiptCheck>> {
  let known: Partial<ReceiptCheck> = {};
  const { ReceiptError, runIdOf, verifyReceipt, verifyRun } = await import("../../../verify/receipts.mjs");
  try {
    const signed = await verifyReceipt(await bytesOf(receipt), await bytesOf(key));
    known = { signed };
    const run_id = await runIdOf(text);
    const statement = signed.statements.find((each) => each.run_id === run_id);
    if (!statement) throw new Error("it says nothing of the run of this log");
    known = { signed, statement };
    return { ...known, run: await verifyRun(text, statement, { core: await coreReady() }) };
  } catch (error) {
    const line = error instanceof ReceiptError ? error.line : undefined;
    return { ...known, wrong: { message: wordsOf(error), line } };
  }
}

async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MOST_BYTES) throw new RangeError(`expected a file of at most ${MOST_BYTES} bytes`);
  return new Uint8Array(await file.arrayBuffer());
}
