/** Merkle trees over what is said of several runs: RFC 9162, section 2.1, with SHA-256. */
import { sha256 } from "../dist/core/noble_sha256.js";
import { joined } from "./receipt_cbor.mjs";

export const leafHash = (entry) => sha256(joined([Uint8Array.of(0), entry]));
const nodeHash = (left, right) => sha256(joined([Uint8Array.of(1), left, right]));

/** Gives the root that an inclusion path leads to; undefined for a path that no leaf at that index, from 0, has. */
export function rootOf(leaf, index, size, path) {
  if (!(0 <= index && index < size)) return undefined;
  let [at, last, found] = [BigInt(index), BigInt(size) - 1n, leaf];
  for (const each of path) {
    if (last === 0n) return undefined;
    if (at & 1n || at === last) {
      found = nodeHash(each, found);
      while (!(at & 1n) && at) [at, last] = [at >> 1n, last >> 1n];
    } else found = nodeHash(found, each);
    [at, last] = [at >> 1n, last >> 1n];
  }
  return last === 0n ? found : undefined;
}
