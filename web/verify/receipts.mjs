/**
 * Receipts checked in JavaScript: a second implementation, beside purestep_hosts.receipts.
 *
 * A receipt is COSE_Sign1 over what is said of one run, or over the root of a Merkle tree of several. It is checked here
 * by WebCrypto, in Node 20, browsers and workerd. Without a core nothing is derived: a log is then held to its hash
 * chain and to what its lines say themselves.
 */
import { readEnvelope } from "./receipt_envelope.mjs";
import { CLOCK_SKEW_S, ReceiptError } from "./receipt_errors.mjs";
import { hasSigned, keyUri, publicKeyOf } from "./receipt_keys.mjs";
import { readStatement } from "./receipt_statements.mjs";

export { ReceiptError } from "./receipt_errors.mjs";
export { runIdOf, verifyRun } from "./receipt_runs.mjs";

/** Gives what a receipt says, its signature not looked at: anybody may have written it. */
export function readReceipt(bytes) {
  return toldBy(readEnvelope(bytes));
}

/** Gives what a receipt says, once its signature is that of a key; now: seconds since 1970. */
export async function verifyReceipt(bytes, publicKey, { now = Math.floor(Date.now() / 1000) } = {}) {
  const key = await publicKeyOf(publicKey);
  const envelope = readEnvelope(bytes);
  if (envelope.algorithm !== key.algorithm)
    throw new ReceiptError("signer_mismatch", "the receipt was signed with another kind of key than the one expected");
  if (keyUri(envelope.thumbprint) !== key.uri)
    throw new ReceiptError("signer_mismatch", "the receipt was signed with another key than the one expected");
  if (!(await hasSigned(key, envelope.signedText, envelope.signature)))
    throw new ReceiptError("signature_invalid", "the signature does not fit: the receipt was changed");
  const ahead = envelope.issuedAt - BigInt(Math.floor(now));
  if (ahead > CLOCK_SKEW_S)
    throw new ReceiptError(
      "receipt_from_future",
      `the receipt was issued ${ahead} s from now, by its issuer's clock; set the clock that is wrong`,
    );
  return toldBy(envelope);
}

function toldBy({ entries, runs, issuer, issuedAt, subject, thumbprint }) {
  const statements = entries.map(readStatement);
  if (new Set(statements.map(({ run_id }) => run_id)).size < statements.length)
    throw new ReceiptError("bad_receipt", "two of its statements are about one run");
  if (subject && subject !== statements[0].run_id)
    throw new ReceiptError("bad_receipt", "its header names another run than its statement");
  return { statements, runs: Number(runs), issuer, issuedAt: Number(issuedAt), signer: keyUri(thumbprint) };
}
