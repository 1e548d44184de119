// Compresses files for hosts that compress nothing.
import pako from "pako";

/** What the name of a compressed copy ends with; src/core/sent_form.ts names the same. */
export const PACKED = ".gz";

/** Gives the bytes compressed as gzip; not by Node's zlib, whose bytes differ between releases and processors. */
export function packed(bytes) {
  return Buffer.from(pako.gzip(bytes, { level: 9, memLevel: 9 }));
}
