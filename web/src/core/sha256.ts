/** SHA-256 of bytes in hexadecimal, also without WebCrypto, as on a page served without TLS. */

/** Gives the SHA-256 of the bytes as 64 hexadecimal digits. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // The type says that subtle is always there; a page that is no secure context has none.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  const digest = subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : await sha256InScript(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256InScript(bytes: Uint8Array): Promise<Uint8Array> {
  const { sha256: digest } = await import("@noble/hashes/sha2.js");
  return digest(bytes);
}
