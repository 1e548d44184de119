/**
 * Stores the running session in IndexedDB, each step before its decision is carried out.
 *
 * A step is added in one transaction that looks whether all steps before it are there, and else stores all of them: what
 * was cleared meanwhile leaves no hole. If the browser stores nothing (private window, full disk, no permission), the
 * page says so, and a run of which nothing is stored continues in memory.
 */
import { signal } from "@preact/signals";
import type { DBSchema, IDBPDatabase, IDBPTransaction } from "idb";
import { openDB } from "idb";
import { discardFiles } from "./attached_files.js";
import type { Branch, ForkOrigin, Session, Step } from "./steps.js";
import { readLines } from "./steps.js";

interface SessionRow {
  id: string;
  run_id: string;
  created: number;
  definition: string | null;
  edited?: string;
  script?: readonly string[];
  opened?: string;
  fork?: ForkOrigin;
  active: string;
}

interface BranchRow {
  session: string;
  id: string;
  name: string;
  parent?: { branch: string; steps: number };
}

interface StepRow {
  session: string;
  branch: string;
  index: number;
  lines: string[];
  reasoning?: string;
}

interface SessionsSchema extends DBSchema {
  sessions: { key: string; value: SessionRow };
  branches: { key: [string, string]; value: BranchRow };
  steps: { key: [string, string, number]; value: StepRow };
}

/** Why nothing is kept, in words for the reader; empty without a problem. */
export const storageTrouble = signal("");

/** Sessions of which something is stored: the browser has said that it is on its disk. */
const stored = new Set<string>();

/** Another tab has gone on with the same run. */
export class RunTakenError extends Error {}

let opening: Promise<IDBPDatabase<SessionsSchema>> | undefined;

function database(): Promise<IDBPDatabase<SessionsSchema>> {
  opening ??= openDB<SessionsSchema>("purestep-playground", 1, {
    upgrade(fresh) {
      fresh.createObjectStore("sessions", { keyPath: "id" });
      fresh.createObjectStore("branches", { keyPath: ["session", "id"] });
      fresh.createObjectStore("steps", { keyPath: ["session", "branch", "index"] });
    },
    // A tab with a newer page changes the stores, or somebody clears them: neither waits for this one.
    blocking: (_now, _next, event) => {
      (event.target as IDBDatabase).close();
      opening = undefined;
    },
    terminated: () => (opening = undefined),
  });
  return opening;
}

/** Does the work, and once more on a fresh connection; a failure is reported and does not stop the run. */
async function kept<Value>(work: (store: IDBPDatabase<SessionsSchema>) => Promise<Value>): Promise<Value | undefined> {
  for (const isLast of [false, true]) {
    try {
      const done = await work(await database());
      storageTrouble.value = "";
      return done;
    } catch (error) {
      if (error instanceof RunTakenError) throw error;
      opening = undefined; // the connection may have been closed, and it may work again after room was made
      if (isLast) storageTrouble.value = reasonOf(error);
    }
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return "this browser's storage is full";
  if (name === "VersionError") return "a newer version of this page has stored its runs here; reload this page";
  if (name === "SecurityError" || name === "InvalidStateError")
    return "this browser does not let the page store anything";
  return error instanceof Error ? error.message : String(error);
}

const rowsOf = (session: string): IDBKeyRange => IDBKeyRange.bound([session], [session, []]);

type Change = IDBPTransaction<SessionsSchema, ("sessions" | "branches" | "steps")[], "readwrite">;

/** Stores a session with all branches and steps; needed when it starts, forks or is opened. Gives whether it is stored. */
export async function keepSession(session: Session): Promise<boolean> {
  return keptOnDisk(session, (change) => putSession(change, session));
}

/**
 * Keeps the newest step of a session; settles when it is on disk. Gives whether it is stored.
 *
 * Throws RunTakenError where another tab has stored another step in its place.
 */
export async function keepStep(session: Session, branch: string, index: number, step: Step): Promise<boolean> {
  const row = stepRow(session.id, branch, index, step);
  return keptOnDisk(session, async (change) => {
    const steps = change.objectStore("steps");
    checkFree(await steps.get([session.id, branch, index]), row);
    const known = await change.objectStore("sessions").count(session.id);
    const before = await steps.count(IDBKeyRange.bound([session.id, branch], [session.id, branch, index], false, true));
    if (known === 0 || before < index) await putSession(change, session);
    else await steps.put(row);
  });
}

function checkFree(there: StepRow | undefined, row: StepRow): void {
  if (there && there.lines.join("\n") !== row.lines.join("\n"))
    throw new RunTakenError(
      "Another tab has gone on with this run, so this one stops. Reload the page to see its steps.",
    );
}

async function putSession(change: Change, session: Session): Promise<void> {
  const { branches, ...row } = session;
  await change.objectStore("sessions").put(row);
  for (const { steps, ...branch } of branches) {
    await change.objectStore("branches").put({ session: session.id, ...branch });
    for (const [index, step] of steps.entries())
      await change.objectStore("steps").put(stepRow(session.id, branch.id, index, step));
  }
}

/** Makes a change in one transaction, which is on disk when this settles; gives whether it is. */
async function keptOnDisk(session: Session, put: (change: Change) => Promise<void>): Promise<boolean> {
  const done = await kept(async (store) => {
    const change = store.transaction(["sessions", "branches", "steps"], "readwrite", { durability: "strict" });
    const settled = change.done.catch((error: unknown) => error);
    try {
      await put(change);
    } catch (error) {
      abort(change);
      await settled;
      throw error;
    }
    await change.done;
    return true;
  });
  if (done) stored.add(session.id);
  return done ?? false;
}

function abort(change: Change): void {
  try {
    change.abort();
  } catch {
    // it has ended by itself
  }
}

/** Whether something of a session is stored, so that a later visit would go on from there. */
export const isStored = (session: Session): boolean => stored.has(session.id);

function stepRow(session: string, branch: string, index: number, step: Step): StepRow {
  const { lines, reasoning } = step;
  return { session, branch, index, lines: lines.map((line) => line.text), ...(reasoning && { reasoning }) };
}

/** Gives the sessions that are kept, newest first. */
export async function keptSessions(): Promise<Session[]> {
  const found = await kept(async (store) => {
    const rows = await store.getAll("sessions");
    return Promise.all(rows.map((row) => readSession(store, row)));
  });
  for (const { id } of found ?? []) stored.add(id);
  return (found ?? [])
    .filter((session) => session.branches.some((branch) => branch.steps.length > 0))
    .sort((one, other) => other.created - one.created);
}

async function readSession(store: IDBPDatabase<SessionsSchema>, row: SessionRow): Promise<Session> {
  const branches = await store.getAll("branches", rowsOf(row.id));
  const steps = await store.getAll("steps", rowsOf(row.id));
  branches.sort((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }));
  return { ...row, branches: branches.map(({ session: _, ...branch }) => withSteps(branch, steps)) };
}

function withSteps(branch: Omit<Branch, "steps">, rows: StepRow[]): Branch {
  const own = rows.filter((row) => row.branch === branch.id).sort((one, other) => one.index - other.index);
  return { ...branch, steps: own.map(stepOf) };
}

function stepOf({ lines, reasoning }: StepRow): Step {
  return { lines: readLines(lines.join("\n")), ...(reasoning !== undefined && { reasoning }) };
}

export async function discardSession(id: string): Promise<void> {
  await kept(async (store) => {
    const change = store.transaction(["sessions", "branches", "steps"], "readwrite");
    await change.objectStore("sessions").delete(id);
    await change.objectStore("branches").delete(rowsOf(id));
    await change.objectStore("steps").delete(rowsOf(id));
    await change.done;
  });
  await discardFiles(id);
}

const held = new Set<string>();

/** Locks a session until the page closes, so that other tabs do not offer it; false: another tab has it. */
export async function lockSession(id: string): Promise<boolean> {
  if (!navigator.locks || held.has(id)) return true;
  return new Promise((resolve) => {
    void navigator.locks.request(`purestep-session-${id}`, { ifAvailable: true }, async (lock) => {
      if (lock) held.add(id);
      resolve(lock !== null);
      if (lock) await new Promise(() => undefined);
    });
  });
}

/** Gives those of the sessions that no other tab has locked. */
export async function unlockedSessions(sessions: Session[]): Promise<Session[]> {
  const locked = (await navigator.locks?.query())?.held?.map((lock) => lock.name) ?? [];
  return sessions.filter((session) => !locked.includes(`purestep-session-${session.id}`));
}
