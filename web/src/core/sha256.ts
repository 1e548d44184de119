/** SHA-256 of bytes in hexadecimal, also without WebCrypto, as on a page served without TLS. */
import { sha256 as digestOf } from "./noble_sha256.js";

/** Gives the SHA-256 of the bytes as 64 hexadecimal digits. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // The type says that subtle is always there; a page that is no secure context has none.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  return subtle ? hex(new Uint8Array(await subtle.digest("SHA-256", bytes))) : sha256Now(bytes);
}

/** Gives the same at once. */
export function sha256Now(bytes: Uint8Array): string {
  return hex(digestOf(bytes));
}

function hex(digest: Uint8Array): string {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
