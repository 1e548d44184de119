/** The public keys that receipts are checked with, Ed25519 and ECDSA on P-256, by WebCrypto. */
import { sha256 } from "../dist/core/noble_sha256.js";
import { encoded, isSame } from "./receipt_cbor.mjs";
import { EDDSA, ES256 } from "./receipt_envelope.mjs";
import { ReceiptError } from "./receipt_errors.mjs";

const KEY_URI = "urn:ietf:params:oauth:ckt:sha-256:";
const MOST_KEY_CHARS = 100_000;
/** Both are of a whole file: of several keys only one would count, and nobody who reads the file could know which. */
const PEM = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/;
const SSH = /^(ssh-ed25519|ecdsa-sha2-nistp256)[ \t]+([A-Za-z0-9+/=]+)(?:[ \t].*)?$/;
/** An Ed25519 key in SPKI is these bytes and 32 of its own (RFC 8410). */
const ED25519_SPKI = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);
const P256 = { name: "ECDSA", namedCurve: "P-256" };
/** Half the order of P-256: with (r, s) also (r, order - s) is a signature, so only the smaller s counts as one. */
const HALF_ORDER = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n;

/**
 * Gives the only key of a file, PEM or OpenSSH, with its URI (RFC 9679). Throws `bad_key`.
 *
 * White space and a byte order mark around it are passed over.
 */
export async function publicKeyOf(file) {
  const text = (typeof file === "string" ? file : new TextDecoder().decode(file)).trim();
  const found = text.length > MOST_KEY_CHARS ? undefined : ((await ofSsh(text)) ?? (await ofPem(text)));
  if (!found)
    throw new ReceiptError(
      "bad_key",
      "expected one public key alone, Ed25519 or ECDSA on P-256, as in receipt.key.pub",
    );
  const [x, y] = [found.raw.subarray(-64).subarray(0, 32), found.raw.subarray(-32)];
  const members = found.algorithm === EDDSA ? [[1, 1], [-1, 6], [-2, found.raw]] : [[1, 2], [-1, 1], [-2, x], [-3, y]]; // prettier-ignore
  const thumbprint = sha256(encoded(new Map(members)));
  return { ...found, uri: keyUri(thumbprint) };
}

/** Gives a key by its thumbprint as the name of an issuer. */
export const keyUri = (thumbprint) => KEY_URI + base64url(thumbprint);

/** Whether a signature is this key's signature of a text. */
export async function hasSigned({ algorithm, key }, text, signature) {
  if (signature.length !== 64) return false;
  if (algorithm === EDDSA) return subtle().verify("Ed25519", key, signature, text);
  const isLow = signature.subarray(32).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) <= HALF_ORDER;
  return isLow && subtle().verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, text);
}

/** Reads `ssh-ed25519 AAAA... comment`: texts and bytes, each after its length (RFC 4253, section 6.6). */
async function ofSsh(text) {
  const [, kind, packed] = SSH.exec(text) ?? [];
  const parts = packed && partsOf(bytesOf(packed));
  if (!parts || new TextDecoder().decode(parts[0]) !== kind) return undefined;
  if (kind === "ssh-ed25519") return parts.length === 2 && parts[1].length === 32 ? ed25519(parts[1]) : undefined;
  const isCurve = parts.length === 3 && new TextDecoder().decode(parts[1]) === "nistp256";
  return isCurve ? p256("raw", parts[2]) : undefined;
}

function partsOf(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const size = at + 4 <= bytes.length ? new DataView(bytes.buffer, at).getUint32(0) : Infinity;
    if (size > bytes.length - at - 4) return undefined;
    parts.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return parts;
}

async function ofPem(text) {
  const [, packed] = PEM.exec(text) ?? [];
  const spki = packed && bytesOf(packed.replaceAll(/\s/g, ""));
  if (!spki?.length) return undefined;
  const at = ED25519_SPKI.length;
  if (spki.length === at + 32 && isSame(spki.subarray(0, at), ED25519_SPKI)) return ed25519(spki.subarray(at));
  return p256("spki", spki);
}

async function ed25519(raw) {
  try {
    return { algorithm: EDDSA, raw, key: await subtle().importKey("raw", raw, "Ed25519", true, ["verify"]) };
  } catch (error) {
    if (error?.name !== "NotSupportedError") return undefined;
    throw new ReceiptError("bad_key", "this browser checks no signatures by Ed25519; take one of 2025 or later");
  }
}

async function p256(form, bytes) {
  try {
    const key = await subtle().importKey(form, bytes, P256, true, ["verify"]);
    return { algorithm: ES256, raw: new Uint8Array(await subtle().exportKey("raw", key)), key };
  } catch (error) {
    if (error instanceof ReceiptError) throw error;
    return undefined; // of another kind, or no point of the curve
  }
}

function subtle() {
  const found = globalThis.crypto?.subtle;
  if (!found)
    throw new ReceiptError("bad_key", "signatures are checked in pages by https, or from the disk; open it there");
  return found;
}

/** Gives bytes of base64; none for a text that is none. */
function bytesOf(packed) {
  try {
    return Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""); // prettier-ignore
