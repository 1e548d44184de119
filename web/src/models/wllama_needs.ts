/** What a browser has to have for llama.cpp in a page, looked at before a model is fetched. */
import { PurestepError } from "../errors.js";
import { stoppedError } from "./in_page.js";

/** The memory that llama.cpp as wasm can have, and of it what a model needs beside its weights at the least. */
const MOST_MEMORY = 4096 * (1 << 20);
const BESIDE_WEIGHTS = 128 * (1 << 20);
const PAGE_BYTES = 1 << 16;
const GIGA = 1 << 30;

/** A module with vectors of 128 bits, and one that catches exceptions: both are in every build of llama.cpp. */
// prettier-ignore
const FEATURES: Readonly<Record<string, readonly number[]>> = {
  "vectors (SIMD)": [1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
  "exceptions": [1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11],
};
const WASM_HEAD = [0, 97, 115, 109, 1, 0, 0, 0];

/** Looks whether the browser can run llama.cpp at all; throws PurestepError with the code `unsupported`. */
export function checkFeatures(hasCompat: boolean): void {
  const lacks = lackingFeature(hasCompat);
  if (lacks === undefined) return;
  const advice = "Use a current browser, or a model on a server; nothing was fetched.";
  throw new PurestepError("unsupported", `This browser cannot run models in the page: it has no ${lacks}. ${advice}`);
}

function lackingFeature(hasCompat: boolean): string | undefined {
  if (typeof WebAssembly === "undefined") return "WebAssembly (a strict security mode may have turned it off)";
  if (typeof Worker === "undefined") return "workers";
  for (const [name, bytes] of Object.entries(FEATURES))
    if (!WebAssembly.validate(new Uint8Array([...WASM_HEAD, ...bytes]))) return `WebAssembly with ${name}`;
  return hasCompat || memory(1) !== undefined ? undefined : "WebAssembly with memory of 64 bits";
}

/** Whether a browser other than Firefox lacks what the usual build of llama.cpp needs: as wllama decides it. */
export function needsCompat(): boolean {
  const hasAll = "Suspending" in WebAssembly && memory(1) !== undefined;
  return !hasAll && !/Firefox\//.test(globalThis.navigator?.userAgent ?? "");
}

/** Makes a memory of so many bytes, as llama.cpp has it; undefined where the browser gives none. */
function memory(bytes: number): WebAssembly.Memory | undefined {
  try {
    const initial = BigInt(Math.ceil(bytes / PAGE_BYTES));
    return new WebAssembly.Memory({ address: "i64", initial } as unknown as WebAssembly.MemoryDescriptor);
  } catch {
    return undefined;
  }
}

/**
 * Asks how long the file at an address is, and looks whether storage and memory have room for it.
 *
 * Throws PurestepError with the code `no_model`, `storage_full`, `unsupported` or `stopped`; where nobody can say how
 * long it is, the download shows.
 */
export async function checkRoom(url: string, signal: AbortSignal): Promise<void> {
  const bytes = await lengthOf(url, signal);
  if (bytes === undefined) return;
  checkMemory(bytes);
  const { quota, usage } = (await storageEstimate()) ?? {};
  if (quota === undefined || quota - (usage ?? 0) >= bytes) return;
  const left = megabytes(Math.max(0, quota - (usage ?? 0)));
  const advice =
    "Make room on the disk, delete other sites' data in the browser's settings, or leave the private window; " +
    "then try again.";
  throw new PurestepError(
    "storage_full",
    `The model has ${megabytes(bytes)}, and the browser gives this page room for ${left}. ${advice}`,
  );
}

/** Gives the memory that a model of so many bytes needs at the least. */
export function leastMemory(bytes: number): number {
  return bytes + BESIDE_WEIGHTS;
}

/** Looks whether a model of so many bytes finds memory; throws PurestepError with the code `unsupported`. */
export function checkMemory(bytes: number): void {
  const needed = leastMemory(bytes);
  const device = (globalThis.navigator as { readonly deviceMemory?: number } | undefined)?.deviceMemory;
  let found: string | undefined;
  if (needed > MOST_MEMORY) found = `a page gives llama.cpp ${megabytes(MOST_MEMORY)} at most`;
  else if (device !== undefined && needed > device * GIGA) found = `this device has about ${device} GB`;
  else if (memory(1) !== undefined && memory(needed) === undefined) found = "the browser gives this page less";
  if (found === undefined) return;
  const advice = "Choose a smaller model, or close other tabs and try again.";
  throw new PurestepError("unsupported", `The model needs ${megabytes(needed)} of memory, and ${found}. ${advice}`);
}

async function lengthOf(url: string, signal: AbortSignal): Promise<number | undefined> {
  let response: Response;
  try {
    response = await fetch(url, { method: "HEAD", signal });
  } catch {
    if (signal.aborted) throw stoppedError();
    return undefined;
  }
  if (response.status === 404 || response.status === 410) throw noModel(response.status);
  const length = Number(response.headers.get("Content-Length") ?? "");
  return response.ok && length > 0 ? length : undefined;
}

/** Gives the error for an address that has no file. */
export function noModel(status: number | string): PurestepError {
  return new PurestepError("no_model", `There is no model at this address (status ${status}). Check the address.`);
}

async function storageEstimate(): Promise<StorageEstimate | undefined> {
  return globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
