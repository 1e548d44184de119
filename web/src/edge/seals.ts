/**
 * Seals: an HMAC over where a run stands, so that the service takes back only what it handed out.
 *
 * A seal is `v1.KEY.EXPIRY.MAC`: the key's name, milliseconds since 1970, and the HMAC-SHA256 of the core's `sealed_text`
 * in base64url. `purestep_hosts.seals` makes the same ones for native hosts.
 */
import type { AnyCore } from "../core/core.js";
import { accepted, PurestepError } from "../errors.js";

/** A key by its name: letters, digits, `_` and `-`. The secret is text of at least 32 bytes. */
export interface SealKey {
  readonly id: string;
  readonly secret: string;
}

/** Where a run stands, as JSON texts, and whom it belongs to. */
export interface SealedRun {
  state: string;
  messages: string;
  /** The transcripts of the agents that go on, by the ids of their runs. */
  children?: string;
  user: string;
}

/** Remembers the points of runs that were gone on from, on all machines of a service. */
export interface SpentSeals {
  /**
   * Spends a point of a run; gives false if it was spent before. Of several at once exactly one is given true.
   *
   * `point` is 64 hex digits, made of the user and the log's head. After `expiresAt`, in milliseconds since 1970, it may be forgotten.
   */
  spend(point: string, expiresAt: number): Promise<boolean>;
}

/** How long a seal holds: a day, so that an approval may wait for the next morning. */
export const SEAL_LIFE_MS = 24 * 60 * 60 * 1000;

const LEAST_SECRET_BYTES = 32; // as long as the MAC
const MAX_KEYS = 16; // the one that seals, and older ones whose seals still hold
const HASH = { name: "HMAC", hash: "SHA-256" };
const KEY_NAME = /^[A-Za-z0-9_-]{1,64}$/;
// The last character of 32 bytes in base64url has two bits that stand for nothing: they are zero.
const SEAL = /^v1\.([A-Za-z0-9_-]{1,64})\.([1-9][0-9]{0,15})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const HOW =
  'keys to seal runs with, as [{"id": "key-1", "secret": "..."}] with a secret from `openssl rand -base64 32`, or "unsigned": true';

/** Says what is wrong with how a service is to seal: with keys, or with none because it says so; undefined if nothing. */
export function sealProblem(keys: unknown, unsigned: boolean): string | undefined {
  if (unsigned !== true) return keysProblem(keys);
  return keys === undefined ? undefined : "either keys or unsigned, not both";
}

/** Says what is wrong with keys, without their secrets; undefined for keys that can seal. */
function keysProblem(keys: unknown): string | undefined {
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) return `1 to ${MAX_KEYS} ${HOW}`;
  const ids = new Set<unknown>();
  for (const key of keys as unknown[]) {
    if (typeof key !== "object" || key === null || Object.keys(key).sort().join() !== "id,secret") return HOW;
    const { id, secret } = key as Record<string, unknown>;
    if (typeof id !== "string" || !KEY_NAME.test(id)) return "ids of 1 to 64 letters, digits, _ or -";
    if (typeof secret !== "string" || utf8(secret).length < LEAST_SECRET_BYTES)
      return `secrets of at least ${LEAST_SECRET_BYTES} bytes; \`openssl rand -base64 32\` prints one`;
    if (ids.has(id)) return "an id of its own for each key";
    ids.add(id);
  }
  return undefined;
}

/** Makes seals with the first of its keys, and takes those of all. */
export class Seals {
  readonly #keys: readonly SealKey[];

  /** Takes keys in which `sealProblem` finds none. */
  constructor(
    readonly core: Pick<AnyCore, "sealed_text">,
    keys: readonly SealKey[],
    readonly lifeMs: number,
    readonly clock: () => number,
  ) {
    this.#keys = keys.map(({ id, secret }) => ({ id, secret }));
  }

  /** Gives the seal of a run. */
  async seal(run: SealedRun): Promise<string> {
    const key = this.#keys[0]!;
    const expiry = String(Math.trunc(this.clock()) + this.lifeMs);
    const mac = await crypto.subtle.sign(HASH, await imported(key, "sign"), await this.#text(run, key, expiry));
    return `v1.${key.id}.${expiry}.${base64url(mac)}`;
  }

  /** Gives when the seal of a run ends. Throws `seal_invalid` unless it is of one of the keys and of this run. */
  async check(seal: string, run: SealedRun): Promise<number> {
    const [, id, expiry, mac] = SEAL.exec(seal) ?? [];
    const key = this.#keys.find((each) => each.id === id);
    if (!key || !expiry || !mac) throw invalid();
    const text = await this.#text(run, key, expiry).catch(() => {
      throw invalid(); // what no seal can be made of has none
    });
    // Compares in constant time.
    if (!(await crypto.subtle.verify(HASH, await imported(key, "verify"), bytesOf(mac), text))) throw invalid();
    if (Number(expiry) <= this.clock())
      throw new PurestepError("seal_expired", "the seal holds no longer; begin a new run", "/seal");
    return Number(expiry);
  }

  async #text(run: SealedRun, { id }: SealKey, expiry: string): Promise<Uint8Array<ArrayBuffer>> {
    const named = `"user":${JSON.stringify(run.user)},"expires_at":${expiry},"key_id":${JSON.stringify(id)}`;
    const below = run.children === undefined ? "" : `"children":${run.children},`;
    const text = `{"state":${run.state},"messages":${run.messages},${below}${named}}`;
    return utf8(accepted(await this.core.sealed_text(text)));
  }
}

function invalid(): PurestepError {
  return new PurestepError(
    "seal_invalid",
    "expected the seal of exactly this state, transcript and user; send back what came with it, unchanged",
    "/seal",
  );
}

/** Gives a key as WebCrypto's; it cannot be read out again. */
function imported({ secret }: SealKey, use: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", utf8(secret), HASH, false, [use]);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
