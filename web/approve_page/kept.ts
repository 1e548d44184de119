/** What a phone keeps: its key, which nobody can read out again, and the hosts that the person has compared. */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { publicText } from "../src/approval_codes/packing.js";

interface KeptSchema extends DBSchema {
  keys: { key: string; value: CryptoKeyPair };
  /** The names of hosts, by their public keys. */
  hosts: { key: string; value: string };
}

/** The key that answers are signed with; isKept: it is the same tomorrow. */
export interface OwnKey {
  readonly pair: CryptoKeyPair;
  readonly text: string;
  readonly isKept: boolean;
}

/** Whether a host is known by its key; `changed`: another key has its name here. */
export type Trust = "known" | "new" | "changed";

let opening: Promise<IDBPDatabase<KeptSchema>> | undefined;

function database(): Promise<IDBPDatabase<KeptSchema>> {
  opening ??= openDB<KeptSchema>("purestep-approvals", 1, {
    upgrade(opened) {
      opened.createObjectStore("keys");
      opened.createObjectStore("hosts");
    },
  });
  return opening;
}

/** Gives the phone's key, made at the first visit; of two tabs that make one, the first one's stays. */
export async function ownKey(): Promise<OwnKey> {
  const fresh = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair;
  const pair = await keptKey(fresh).catch(() => undefined);
  return { pair: pair ?? fresh, text: await publicText(pair ?? fresh), isKept: pair !== undefined };
}

async function keptKey(fresh: CryptoKeyPair): Promise<CryptoKeyPair> {
  const change = (await database()).transaction("keys", "readwrite");
  const before = await change.store.get("own");
  if (!before) await change.store.put(fresh, "own");
  await change.done;
  return before ?? fresh;
}

/** Tells what is known of a host. */
export async function trustIn(host: string, name: string): Promise<Trust> {
  const kept = await hosts();
  if (kept.has(host)) return "known";
  return name !== "" && [...kept.values()].includes(name) ? "changed" : "new";
}

/** Keeps a host that the person has compared; another key of the same name is forgotten. */
export async function trust(host: string, name: string): Promise<void> {
  for (const [key, other] of inMemory) if (name !== "" && other === name) inMemory.delete(key);
  inMemory.set(host, name);
  try {
    const change = (await database()).transaction("hosts", "readwrite");
    for (const key of await change.store.getAllKeys())
      if (name !== "" && (await change.store.get(key)) === name) await change.store.delete(key);
    await change.store.put(name, host);
    await change.done;
    await navigator.storage.persist(); // or a browser that needs room may throw the key away
  } catch {
    // It is asked again at the next visit.
  }
}

const inMemory = new Map<string, string>();

async function hosts(): Promise<ReadonlyMap<string, string>> {
  try {
    const store = (await database()).transaction("hosts").store;
    const [keys, names] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map([...inMemory, ...keys.map((key, index): [string, string] => [key, names[index]!])]);
  } catch {
    return inMemory;
  }
}
