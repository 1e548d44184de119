/** Opens the file of a model, from the disk or fetched into the browser's storage, and checks it. */
import { sha256 } from "../core/sha256.js";
import { PurestepError } from "../errors.js";
import { notFetched, stoppedError, storageOrNetwork, thrown } from "./in_page.js";
import type { ProgressReporter } from "./progress.js";
import { checkRoom, noModel } from "./wllama_needs.js";

/** The part of wllama's ModelManager that is used. */
export interface GgufStore {
  getModelOrDownload(source: { url: string }, options: DownloadOptions): Promise<{ open(): Promise<Blob[]> }>;
  readonly cacheManager: { delete(url: string): Promise<void>; open(url: string): Promise<Blob | null> };
}

interface DownloadOptions {
  signal: AbortSignal;
  progressCallback(report: { loaded: number; total: number }): void;
}

const MAGIC = "GGUF";
const WASM_MAGIC = "\0asm";

/**
 * Gives the file's contents, fetched first if it is not there; throws PurestepError.
 *
 * Tabs write into one storage: another one that fetches the same file is waited for.
 */
export async function openModel(
  store: GgufStore,
  url: string,
  progress: ProgressReporter,
  signal: AbortSignal,
): Promise<Blob[]> {
  const open = (): Promise<Blob[]> => openAlone(store, url, progress, signal);
  const locks = globalThis.navigator?.locks;
  if (!locks) return open();
  return locks.request(`purestep-model ${url}`, { signal }, open).catch((error: unknown) => {
    throw signal.aborted ? stoppedError() : error;
  });
}

async function openAlone(
  store: GgufStore,
  url: string,
  progress: ProgressReporter,
  signal: AbortSignal,
): Promise<Blob[]> {
  const progressCallback = ({ loaded, total }: { loaded: number; total: number }): void => {
    const bytes = { loadedBytes: loaded, ...(total > 0 ? { totalBytes: total } : {}) };
    progress.report(total > 0 ? loaded / total : 0, "Fetching the model.", bytes);
  };
  if (!(await store.cacheManager.open(url).catch(() => null))) await checkRoom(url, signal);
  let blobs: Blob[];
  try {
    const model = await store.getModelOrDownload({ url }, { signal, progressCallback });
    blobs = await model.open();
  } catch (error) {
    throw await downloadError(store, url, error, signal);
  }
  const begin = await beginOf(blobs[0]!);
  if (begin === MAGIC) return blobs;
  // Kept, it would be taken for the model for ever.
  await store.cacheManager.delete(url);
  const message = `The address of the model holds no GGUF file: it starts with ${JSON.stringify(begin)}. Check the address.`;
  throw new PurestepError("no_model", message);
}

/** Gives the contents of a file from the disk; throws PurestepError for one that is no GGUF file or cannot be read. */
export async function openFile(file: Blob): Promise<Blob[]> {
  const begin = await beginOf(file).catch(() => undefined);
  if (begin === MAGIC) return [file];
  const wrong =
    begin === undefined
      ? "The file cannot be read any more; it was moved or changed. Choose it again."
      : `The file is no GGUF file: it starts with ${JSON.stringify(begin)}. Choose one whose name ends in .gguf.`;
  throw new PurestepError("no_model", wrong);
}

/** Holds a file to the SHA-256 that it has to have; throws PurestepError. */
export async function checkDigest(blobs: readonly Blob[], expected: string, what: "model" | "adapter"): Promise<void> {
  const digest = await sha256(new Uint8Array(await new Blob([...blobs]).arrayBuffer()));
  if (digest === expected) return;
  const wrong = `expected SHA-256 ${expected.slice(0, 12)}, got ${digest.slice(0, 12)}`;
  throw new PurestepError("model_load", `The file of the ${what} is another one: ${wrong}. Serve the right one.`);
}

function beginOf(file: Blob): Promise<string> {
  return file.slice(0, MAGIC.length).text();
}

async function downloadError(
  store: GgufStore,
  url: string,
  error: unknown,
  signal: AbortSignal,
): Promise<PurestepError> {
  // What came is no use, and a file cut short takes room.
  await store.cacheManager.delete(url).catch(() => undefined);
  if (signal.aborted) return stoppedError();
  const { text } = thrown(error);
  // The worker that writes into the storage has failed, and not the connection.
  if (error instanceof Event) return new PurestepError("model_load", `The model was not fetched: ${text}.`);
  const status = /HTTP (\d{3})/.exec(text)?.[1];
  if (status === "404" || status === "410") return noModel(status);
  if (status)
    return new PurestepError(
      "download_failed",
      `The server did not give the model (status ${status}). Try again later.`,
    );
  if (/must ends? with/.test(text))
    return new PurestepError("no_model", "The address of the model has to end in .gguf.");
  const shared = storageOrNetwork(error, "The model");
  const cut = "The model was not fetched whole: the connection ended early. Try again.";
  return shared ?? new PurestepError("download_failed", cut);
}

/** Looks whether the page serves wllama's wasm file: without it wllama waits for ever. Throws PurestepError. */
export async function checkWasm(url: string, signal: AbortSignal): Promise<void> {
  let begin = "";
  let status = 0;
  try {
    const response = await fetch(url, { signal });
    status = response.status;
    const reader = response.body?.getReader();
    const first = response.ok ? await reader?.read() : undefined;
    void reader?.cancel().catch(() => undefined);
    begin = new TextDecoder().decode(first?.value?.subarray(0, WASM_MAGIC.length));
  } catch {
    if (signal.aborted) throw stoppedError();
    // A browser that has a network need not have one that leads anywhere.
    throw notFetched("The model");
  }
  if (begin === WASM_MAGIC) return;
  const advice = "Serve esm/wasm/wllama.wasm of @wllama/wllama and give its address as wasmUrl.";
  throw new PurestepError(
    "model_load",
    `The page does not serve wllama's wasm file where wasmUrl says (status ${status}). ${advice}`,
  );
}
