/**
 * The envelope of a receipt: COSE_Sign1 (RFC 9052), in one form only.
 *
 * What is said of one run is the payload. What is said of several are the entries of a Merkle tree: the payload is its
 * root, detached, and the header has the entries with their inclusion proofs (RFC 9942).
 */
import { decoded, encoded, isSame, Tagged } from "./receipt_cbor.mjs";
import { malformed, MOST_RECEIPT_BYTES, MOST_RUNS, ReceiptError } from "./receipt_errors.mjs";
import { leafHash, rootOf } from "./receipt_trees.mjs";

export const EDDSA = -8;
export const ES256 = -7;
/** The tag of COSE_Sign1, 18, in its one encoding. */
const SIGN1 = 0xd2;
const CONTENT_TYPE = "application/vnd.purestep.statement+json";
const [ALGORITHM, TYPE, KEY, CLAIMS, STRUCTURE, PROOFS] = [1, 3, 4, 15, 395, 396];
const [ISSUER, SUBJECT, ISSUED_AT] = [1, 2, 6];
const INCLUSION = -1;
const RFC9162_SHA256 = 1;
const ENTRIES = "purestep-statements";
/** How many leaves the tree has: signed, so that a receipt with fewer of them tells so. */
const RUNS = "purestep-runs";
const MOST_TEXT = 1024;

/** Gives a receipt taken apart, its signature not looked at. Throws `bad_receipt`, `unsupported_receipt`. */
export function readEnvelope(bytes) {
  const [protectedHeader, unprotected, payload, signature] = partsOf(bytes);
  const header = decoded(protectedHeader);
  const isTree = payload === null;
  expectMembers(header, ALGORITHM, KEY, CLAIMS, ...(isTree ? [STRUCTURE, RUNS] : [TYPE]));
  const claims = header.get(CLAIMS);
  expectMembers(claims, ISSUER, ISSUED_AT, ...(isTree ? [] : [SUBJECT]));
  checkKind(header);
  const [entries, proofs] = isTree ? entriesIn(unprotected) : [oneEntry(payload, unprotected), []];
  return {
    algorithm: header.get(ALGORITHM),
    thumbprint: expectBytes(header.get(KEY)),
    issuer: text(claims.get(ISSUER)),
    issuedAt: BigInt(expectInteger(claims.get(ISSUED_AT))),
    subject: isTree ? "" : text(claims.get(SUBJECT)),
    runs: isTree ? expectInteger(header.get(RUNS)) : 1,
    entries,
    signedText: encoded([
      "Signature1",
      protectedHeader,
      new Uint8Array(0),
      isTree ? commonRoot(entries, proofs, header.get(RUNS)) : payload,
    ]),
    signature,
  };
}

function checkKind(header) {
  if (header.has(STRUCTURE) && expectInteger(header.get(STRUCTURE)) !== RFC9162_SHA256)
    throw unsupported("a tree of RFC 9162 with SHA-256");
  if (header.has(TYPE) && header.get(TYPE) !== CONTENT_TYPE) throw unsupported(`the content type ${CONTENT_TYPE}`);
  if (![EDDSA, ES256].includes(expectInteger(header.get(ALGORITHM))))
    throw unsupported("a signature by Ed25519 (-8) or ES256 (-7)");
}

function partsOf(bytes) {
  if (bytes.length > MOST_RECEIPT_BYTES)
    throw new ReceiptError("bad_receipt", `expected a receipt of at most ${MOST_RECEIPT_BYTES} bytes`);
  if (bytes[0] !== SIGN1) throw malformed();
  const found = decoded(bytes);
  if (!(found instanceof Tagged) || expectList(found.value).length !== 4) throw malformed();
  const [protectedHeader, unprotected, payload, signature] = found.value;
  return [expectBytes(protectedHeader), expectMap(unprotected), payload, expectBytes(signature)];
}

/** Gives what is said of one run: the payload. */
function oneEntry(payload, unprotected) {
  if (unprotected.size !== 0) throw malformed();
  return [expectBytes(payload)];
}

/** Gives what is said of several runs, and the proof of each. */
function entriesIn(unprotected) {
  expectMembers(unprotected, PROOFS, ENTRIES);
  expectMembers(unprotected.get(PROOFS), INCLUSION);
  const proofs = expectList(unprotected.get(PROOFS).get(INCLUSION));
  const entries = expectList(unprotected.get(ENTRIES));
  if (!(1 <= entries.length && entries.length === proofs.length && entries.length <= MOST_RUNS)) throw malformed();
  return [entries.map(expectBytes), proofs.map(expectBytes)];
}

function readProof(bytes) {
  const proof = expectList(decoded(bytes));
  if (proof.length !== 3) throw malformed();
  const [size, index, path] = proof;
  return { size: expectInteger(size), index: expectInteger(index), path: expectList(path).map(expectBytes) };
}

/** Gives the root that all entries lead to; each leaf stands once, in the order of the tree, so that it has one form. */
function commonRoot(entries, packed, runs) {
  const proofs = packed.map(readProof);
  const roots = entries.map((entry, at) => {
    const { size, index, path } = proofs[at];
    const isInOrder = size === runs && (at === 0 || index > proofs[at - 1].index);
    return isInOrder ? rootOf(leafHash(entry), index, size, path) : undefined;
  });
  if (!roots.every((root) => root && isSame(root, roots[0])))
    throw new ReceiptError("bad_receipt", "an inclusion proof does not fit its statement: the receipt was changed");
  return roots[0];
}

function text(value) {
  if (typeof value !== "string" || value === "" || (value.length > MOST_TEXT && [...value].length > MOST_TEXT))
    throw malformed();
  return value;
}

function expectMembers(value, ...names) {
  if (expectMap(value).size !== names.length || !names.every((name) => value.has(name))) throw malformed();
}

const expecting = (isOne) => (value) => {
  if (!isOne(value)) throw malformed();
  return value;
};
const expectBytes = expecting((value) => value instanceof Uint8Array);
const expectMap = expecting((value) => value instanceof Map);
const expectList = expecting(Array.isArray);
const expectInteger = expecting((value) => typeof value === "number" || typeof value === "bigint");

const unsupported = (expected) =>
  new ReceiptError("unsupported_receipt", `expected ${expected}; this is another kind, or one of a newer release`);
