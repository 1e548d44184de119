/** The run that waits as a code for a phone, and the phone's answers: this page's own key, and the keys that may answer. */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { AskedCall } from "../../../src/agent/ports.js";
import { ApprovalCodes, fingerprint, publicText, signedAnswer } from "../../../src/approval_codes/index.js";
import type { ApprovalRequest, WaitingCalls } from "../../../src/approval_codes/index.js";
import type { Approval } from "../../../src/generated/wire.js";
import { derivedAt } from "./derived_steps.js";
import { session } from "./run.js";
import { activeBranch, parsedDefinition } from "./steps.js";

interface KeysSchema extends DBSchema {
  own: { key: string; value: CryptoKeyPair };
  /** Public keys, by the names of those who have them. */
  approvers: { key: string; value: string };
}

/** What the dialog shows of a waiting run. */
export interface ShownCode extends ApprovalRequest {
  readonly link: string;
  /** The digits of this page's key. */
  readonly digits: string;
  readonly name: string;
}

let opening: Promise<IDBPDatabase<KeysSchema>> | undefined;

function database(): Promise<IDBPDatabase<KeysSchema>> {
  opening ??= openDB<KeysSchema>("purestep-playground-keys", 1, {
    upgrade(opened) {
      opened.createObjectStore("own");
      opened.createObjectStore("approvers");
    },
  });
  return opening;
}

/** Gives the code for the calls that wait, with the page that opens it on a phone. */
export async function codeFor(calls: readonly AskedCall[]): Promise<ShownCode> {
  const { codes, digits, name } = await host();
  const request = await codes.request(await waitingNow(calls));
  return { ...request, link: `${new URL("approve.html", location.href).href}#${request.code}`, digits, name };
}

/** Gives the approvals of an answer to the calls that wait now; rejects as `ApprovalCodes.check` does. */
export async function approvalsOf(answer: string, calls: readonly AskedCall[]): Promise<Approval[]> {
  const { codes } = await host();
  return codes.check(answer, await waitingNow(calls));
}

/** Gives the key that has signed an answer, and its digits. */
export async function signerOf(answer: string): Promise<{ phone: string; digits: string }> {
  const { key } = await signedAnswer(answer);
  return { phone: key, digits: await fingerprint(key) };
}

/** Lets a key answer from now on, under a name that no other key has. */
export async function addApprover(name: string, key: string): Promise<void> {
  inMemory.set(name, key);
  await database()
    .then((opened) => opened.put("approvers", key, name))
    .catch(() => undefined); // this browser stores nothing
}

/** Lets the key of a name answer no longer. */
export async function forgetApprover(name: string): Promise<void> {
  inMemory.delete(name);
  await database()
    .then((opened) => opened.delete("approvers", name))
    .catch(() => undefined);
}

/** The names that have a key. */
export async function approverNames(): Promise<string[]> {
  return Object.keys(await approvers());
}

const inMemory = new Map<string, string>();
let keptInMemory: Promise<CryptoKeyPair> | undefined;

async function host(): Promise<{ codes: ApprovalCodes; digits: string; name: string }> {
  const key = await ownKey();
  const digits = await fingerprint(await publicText(key));
  // Another browser's playground has another key: under one name a phone would take it for a forgery.
  const name = `Playground ${digits.slice(0, 4)}`;
  return { codes: new ApprovalCodes({ key, approvers: await approvers(), name }), digits, name };
}

/** Gives this page's key, made with the first code. */
async function ownKey(): Promise<CryptoKeyPair> {
  keptInMemory ??= crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]) as Promise<CryptoKeyPair>;
  const fresh = await keptInMemory;
  try {
    const change = (await database()).transaction("own", "readwrite");
    const before = await change.store.get("host");
    if (!before) await change.store.put(fresh, "host");
    await change.done;
    return before ?? fresh;
  } catch {
    return fresh; // this browser stores nothing
  }
}

async function approvers(): Promise<Record<string, string>> {
  try {
    const store = (await database()).transaction("approvers").store;
    const [names, keys] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return Object.fromEntries([...inMemory, ...names.map((name, index) => [name, keys[index]!])]) as Record<
      string,
      string
    >;
  } catch {
    return Object.fromEntries(inMemory);
  }
}

/** Where the run on show stands, as its newest step left it. */
async function waitingNow(calls: readonly AskedCall[]): Promise<WaitingCalls> {
  const { steps } = activeBranch(session.value!);
  const { state } = await derivedAt(steps, steps.length - 1);
  const { run_id, head } = JSON.parse(state) as { run_id: string; head: string };
  return { run_id, head, calls, definition: parsedDefinition(session.value!.definition) };
}
