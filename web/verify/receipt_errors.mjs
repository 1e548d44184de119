/** What a receipt can fail by, and the bounds of its parts: those of purestep_hosts.receipts. */

/** A receipt does not hold; `code` is stable, `message` says what to do, `line` is that of the log, from 1. */
export class ReceiptError extends Error {
  constructor(code, message, line) {
    super(message);
    this.name = "ReceiptError";
    this.code = code;
    if (line !== undefined) this.line = line;
  }
}

export const MOST_RECEIPT_BYTES = 256 * 1024 * 1024;
export const MOST_STATEMENT_BYTES = 1024 * 1024;
export const MOST_RUNS = 100_000;
/** Acts of a run that a statement lists; the others are counted. */
export const MOST_TOLD_ACTS = 1000;
/** How far the clocks of who signs and who checks may be apart. */
export const CLOCK_SKEW_S = 300;

export const malformed = () =>
  new ReceiptError("bad_receipt", "expected a receipt, as `purestep receipt` writes it (COSE_Sign1)");
