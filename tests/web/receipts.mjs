/** Checks receipts as told on stdin: lines of JSON in, what was found of each out. */
import { createInterface } from "node:readline";
import { readReceipt, verifyReceipt, verifyRun } from "../../web/verify/receipts.mjs";

const bytesOf = (text) => Uint8Array.from(Buffer.from(text, "base64"));
let core;

async function foundOf({ receipt, key, now, log, statement, derive }) {
  const found = { statements: [statement] };
  if (receipt !== undefined)
    Object.assign(
      found,
      key !== undefined ? await verifyReceipt(bytesOf(receipt), key, { now }) : readReceipt(bytesOf(receipt)),
    );
  if (log === undefined) return found;
  if (derive) core ??= await (await import("../../web/dist/index.js")).loadCore();
  const pieces = [bytesOf(log).subarray(0, 7), bytesOf(log).subarray(7)];
  return verifyRun(pieces, found.statements[0], derive ? { core } : {});
}

for await (const line of createInterface({ input: process.stdin })) {
  const found = await foundOf(JSON.parse(line)).catch(({ name, code, message, line }) => ({
    name,
    code,
    message,
    line,
  }));
  console.log(JSON.stringify(found));
}
