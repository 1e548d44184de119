/** How the texts of approval codes become codes: a signature and a text, in base64url, and back within bounds. */

/** A request's text: more than a person reads of a call, and nothing to unpack for a phone. */
export const MAX_REQUEST_BYTES = 256 * 1024;
/** As many characters as a picture has that a phone reads from a screen: 105 modules a side. A longer link is sent. */
export const MAX_PICTURE_CHARS = 1000;
/** A packed request or answer: its text even where nothing of it can be compressed. */
const MAX_CODE_CHARS = 512 * 1024;
const SIGNATURE_BYTES = 64;
const ED25519 = "Ed25519";

type Bytes = Uint8Array<ArrayBuffer>;

/** A text, and the signature that came with it. */
export interface Signed {
  readonly text: string;
  readonly signature: Bytes;
}

/** Signs a text of a form: the signature fits no other form. */
export async function signatureOf(text: string, form: string, key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign(ED25519, key, utf8(`${form}\n${text}`)));
}

/** Tells whether a signature is that of a public key, of a text of this form. */
export async function isSigned({ text, signature }: Signed, form: string, key: string): Promise<boolean> {
  try {
    const known = await crypto.subtle.importKey("raw", bytesOf(key)!, ED25519, false, ["verify"]);
    return await crypto.subtle.verify(ED25519, known, signature, utf8(`${form}\n${text}`));
  } catch {
    return false; // the bytes are no key
  }
}

/** Gives a request as it stands in a link after `#`. Engines deflate differently; the text that is signed is the same. */
export async function packedRequest({ text, signature }: Signed): Promise<string> {
  const deflated = new Blob([utf8(text)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `r.${base64url(joined([signature, new Uint8Array(await new Response(deflated).arrayBuffer())]))}`;
}

/** Gives the request in a code or a link; undefined where there is none, or it is larger than any. */
export async function unpackedRequest(code: string): Promise<Signed | undefined> {
  const data = dataOf(code, "r.");
  const text = data && (await inflated(data.subarray(SIGNATURE_BYTES)));
  return text === undefined ? undefined : { text, signature: data!.slice(0, SIGNATURE_BYTES) };
}

/** Gives an answer as it stands in a link after `#`; it is not deflated, so that one answer has one text. */
export function packedAnswer({ text, signature }: Signed): string {
  return `a.${base64url(joined([signature, utf8(text)]))}`;
}

/** Gives the answer in a code or a link; undefined where there is none. */
export function unpackedAnswer(code: string): Signed | undefined {
  const data = dataOf(code, "a.");
  const text = data && textOf(data.subarray(SIGNATURE_BYTES));
  return text === undefined ? undefined : { text, signature: data!.slice(0, SIGNATURE_BYTES) };
}

/** Gives the public half of a key pair as text: 43 characters of base64url; rejects with TypeError for other keys. */
export async function publicText({ publicKey }: Pick<CryptoKeyPair, "publicKey">): Promise<string> {
  if (publicKey.algorithm.name !== ED25519)
    throw new TypeError('expected a key pair of crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])');
  return base64url(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
}

/** Gives the 24 hex digits by which people compare a public key. */
export async function fingerprint(key: string): Promise<string> {
  const bytes = bytesOf(key);
  if (!isKey(key) || !bytes) throw new TypeError("expected a public key as 43 characters of base64url");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Tells whether a text has the form of a public key: of the last character, two bits stand for nothing. */
export const isKey = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);

/** Gives digits in groups of four, as people compare them. */
export const inGroups = (digits: string): string => digits.replace(/.{4}(?=.)/g, "$& ");

/** Gives the SHA-256 of a request's text in base64url: what an answer names. */
export async function digestOf(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text))));
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Gives the bytes of a code. Of all texts that decode to some bytes, one is their code. */
function dataOf(code: string, mark: string): Bytes | undefined {
  if (typeof code !== "string") return undefined; // as a body of JSON may have it
  const packed = code.trim().split("#").at(-1)!;
  if (packed.length > MAX_CODE_CHARS || !packed.startsWith(mark)) return undefined;
  const data = bytesOf(packed.slice(mark.length));
  return data && data.length > SIGNATURE_BYTES ? data : undefined;
}

function bytesOf(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  return base64url(bytes) === text ? bytes : undefined;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Gives the text of a request; undefined for what is none, or would become larger than any. */
async function inflated(data: Bytes): Promise<string | undefined> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return textOf(joined(parts));
      size += value.length;
      if (size > MAX_REQUEST_BYTES) return void (await reader.cancel());
      parts.push(value);
    }
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
