/** CBOR in its one deterministic form (RFC 8949, section 4.2), of the kinds of values that a receipt has. */
import { decode, Tokenizer } from "../dist/verify/cborg.js";
import { malformed, MOST_RUNS, ReceiptError } from "./receipt_errors.mjs";

/** Two for each run, and those of the envelope: what a file could claim in more of them fills the memory. */
const MOST_ITEMS = 2 * MOST_RUNS + 100;
const MOST_DEPTH = 8;
const KINDS = new Set(["uint", "negint", "bytes", "string", "array", "map", "tag", "null"]);
const OPTIONS = {
  allowIndefinite: false,
  allowBigInt: true,
  strict: true,
  useMaps: true,
  rejectDuplicateMapKeys: true,
};

/** What stands under a tag. */
export class Tagged {
  constructor(tag, value) {
    this.tag = tag;
    this.value = value;
  }
}

/** Refuses items of other kinds, and more of them than a receipt has. */
class BoundedTokenizer extends Tokenizer {
  #items = 0;
  next() {
    const token = super.next();
    const isTooLong = ["array", "map"].includes(token.type.name) && token.value > MOST_RUNS;
    if (++this.#items > MOST_ITEMS || isTooLong || !KINDS.has(token.type.name)) throw malformed();
    return token;
  }
}

/** Gives the value of bytes in that form; a map is a Map. Throws `bad_receipt`. */
export function decoded(bytes) {
  let value;
  try {
    const tags = { 18: (read) => new Tagged(18, read()) };
    const options = { ...OPTIONS, tags };
    value = decode(bytes, { ...options, tokenizer: new BoundedTokenizer(bytes, options) });
  } catch (error) {
    if (error instanceof ReceiptError) throw error;
    throw /not enough data|but not enough|content missing/.test(error?.message)
      ? new ReceiptError("bad_receipt", "the receipt is cut off; get the whole file")
      : malformed();
  }
  if (!isSame(encoded(value), bytes))
    throw new ReceiptError("bad_receipt", "the receipt is encoded in another way than purestep receipt encodes it");
  return value;
}

/** Gives a value in that form. */
export function encoded(value) {
  const parts = [];
  put(value, parts, MOST_DEPTH);
  return joined(parts);
}

function put(value, parts, depth) {
  if (depth < 0) throw malformed();
  if (value === null) parts.push(Uint8Array.of(0xf6));
  else if (typeof value === "number" || typeof value === "bigint")
    parts.push(value < 0 ? begin(1, -1n - BigInt(value)) : begin(0, value));
  else if (value instanceof Uint8Array) parts.push(begin(2, value.length), value);
  else if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    parts.push(begin(3, bytes.length), bytes);
  } else if (Array.isArray(value)) {
    parts.push(begin(4, value.length));
    for (const each of value) put(each, parts, depth - 1);
  } else if (value instanceof Map) putMap(value, parts, depth);
  else if (value instanceof Tagged) {
    parts.push(begin(6, value.tag));
    put(value.value, parts, depth - 1);
  } else throw malformed();
}

function putMap(map, parts, depth) {
  parts.push(begin(5, map.size));
  const entries = [...map].map(([key, value]) => [encoded(key), value]);
  for (const [key, value] of entries.sort(([one], [other]) => compared(one, other))) {
    parts.push(key);
    put(value, parts, depth - 1);
  }
}

/** Gives the first bytes of an item: its kind, and its number or length in as few bytes as it takes. */
function begin(kind, number) {
  const size = BigInt(number);
  if (size < 24n) return Uint8Array.of((kind << 5) | Number(size));
  const power = [1, 2, 4, 8].findIndex((count) => size < 1n << BigInt(8 * count));
  if (power < 0) throw malformed();
  const bytes = new Uint8Array(1 + 2 ** power);
  bytes[0] = (kind << 5) | (24 + power);
  for (let at = bytes.length - 1, left = size; at > 0; at--, left >>= 8n) bytes[at] = Number(left & 0xffn);
  return bytes;
}

function compared(one, other) {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1);
}

/** Gives pieces of bytes as one. */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function isSame(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at === one.length && at === other.length;
}
