/**
 * Stores the running session in IndexedDB, each step before its decision is carried out.
 *
 * If the browser stores nothing (private window, full disk, no permission), the run continues in memory and the page
 * says so.
 */
import { signal } from "@preact/signals";
import type { DBSchema, IDBPDatabase } from "idb";
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

/** Sessions that could not be stored completely: a log that lacks a step cannot be resumed. */
const incomplete = new Set<string>();

let opening: Promise<IDBPDatabase<SessionsSchema>> | undefined;

function database(): Promise<IDBPDatabase<SessionsSchema>> {
  opening ??= openDB<SessionsSchema>("purestep-playground", 1, {
    upgrade(fresh) {
      fresh.createObjectStore("sessions", { keyPath: "id" });
      fresh.createObjectStore("branches", { keyPath: ["session", "id"] });
      fresh.createObjectStore("steps", { keyPath: ["session", "branch", "index"] });
    },
  });
  return opening;
}

/** Does the work; a failure is reported once and does not stop the run. */
async function kept<Value>(work: (store: IDBPDatabase<SessionsSchema>) => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work(await database());
  } catch (error) {
    opening = undefined; // it may work again later, for instance after room was made
    storageTrouble.value = reasonOf(error);
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return "this browser's storage is full";
  if (name === "SecurityError" || name === "InvalidStateError")
    return "this browser does not let the page store anything";
  return error instanceof Error ? error.message : String(error);
}

const rowsOf = (session: string): IDBKeyRange => IDBKeyRange.bound([session], [session, []]);

/** Stores a session with all branches and steps; needed when it starts, forks or is opened. */
export async function keepSession(session: Session): Promise<void> {
  const { branches, ...row } = session;
  await keptWhole(session.id, async (store) => {
    const change = store.transaction(["sessions", "branches", "steps"], "readwrite");
    await change.objectStore("sessions").put(row);
    for (const { steps, ...branch } of branches) {
      await change.objectStore("branches").put({ session: session.id, ...branch });
      for (const [index, step] of steps.entries()) {
        await change.objectStore("steps").put(stepRow(session.id, branch.id, index, step));
      }
    }
    await change.done;
  });
}

/** Keeps the newest step of a session; settles when it is on disk. */
export async function keepStep(session: Session, branch: string, index: number, step: Step): Promise<void> {
  if (incomplete.has(session.id)) return keepSession(session);
  await keptWhole(session.id, async (store) => {
    const change = store.transaction("steps", "readwrite", { durability: "strict" });
    await change.store.put(stepRow(session.id, branch, index, step));
    await change.done;
  });
}

/** Does the work, and records whether the session is stored completely. */
async function keptWhole(session: string, work: (store: IDBPDatabase<SessionsSchema>) => Promise<void>): Promise<void> {
  const done = await kept(async (store) => (await work(store), true));
  if (done) incomplete.delete(session);
  else incomplete.add(session);
}

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
