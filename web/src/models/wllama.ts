/**
 * A GGUF model on the CPU, by llama.cpp compiled to wasm (wllama).
 *
 * Its wasm file comes from where the page says, never from a CDN. It works in workers that it makes of blobs, so a
 * Content-Security-Policy needs `worker-src blob:` and `script-src 'wasm-unsafe-eval'`.
 */
import type { Model, ModelRequest, PromptProgress } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import { chatBody, isObject } from "./chat_body.js";
import type { Engine, LoadableModel } from "./in_page.js";
import { InPageModel, shortly, stoppedError, thrown } from "./in_page.js";
import { type ReadableFile, unpackedWeights } from "./gguf_weights.js";
import { type OnProgress, ProgressReporter } from "./progress.js";
import { checkDigest, checkWasm, type GgufStore, openFile, openModel } from "./wllama_file.js";
import { checkFeatures, checkMemory, needsCompat } from "./wllama_needs.js";

/** The part of wllama's class that is used. */
export interface WllamaEngine {
  readonly modelManager: GgufStore;
  setCompat(compat: { worker: string; wasm: string } | null): void;
  loadModel(files: ReadableFile[], settings: Record<string, unknown>): Promise<void>;
  getLoadedContextInfo(): { readonly success?: boolean; readonly n_vocab: number; readonly n_ctx: number };
  createChatCompletion(request: never): Promise<unknown>;
  exit(): Promise<void>;
}

/** The part of the module `@wllama/wllama` that is used. */
export interface WllamaModule {
  Wllama: new (paths: { default: string }, config: Record<string, unknown>) => WllamaEngine;
}

export interface WllamaOptions {
  /** The address of the GGUF file; it is fetched once and kept in the browser's storage. Either this or `file`. */
  url?: string;
  /** The GGUF file itself, as a person chose it from the disk; it is read where it is, and nothing is fetched or kept. */
  file?: Blob;
  /** An adapter of the model (LoRA as GGUF), whose weights are put on its own: its address, or the file itself. */
  adapter?: { url: string } | { file: Blob };
  /** The SHA-256 of the files, in hex digits, that they are checked against before they are loaded. */
  sha256?: { model?: string; adapter?: string };
  /** How the model was taught to be asked: `taught` of `Model`. */
  taught?: Model["taught"];
  /** Where the page serves `wllama.wasm` of the package; with Vite: `@wllama/wllama/esm/wasm/wllama.wasm?url`. */
  wasmUrl: string;
  /** The name recorded in logs; default is the file's, without its folder. */
  name?: string;
  /** The window that the model is loaded with, in tokens; default 4,096. */
  windowTokens?: number;
  /**
   * Whether packed weights are unpacked when the file is loaded: prompts are read three times as fast, and it takes
   * up to six times the memory. By default so if that is at most 768 MB and the browser says that the device has 4 GB.
   */
  unpack?: boolean;
  /** Threads to compute with; default is half the cores where the page is cross-origin isolated, else one. */
  threads?: number;
  /** The files of `@wllama/wllama-compat` in the same version, which Safari needs, where the page serves them. */
  compat?: { worker: string; wasm: string };
  /** Gives wllama; default is the package `@wllama/wllama`. */
  wllama?: () => Promise<WllamaModule>;
  onProgress?: OnProgress;
  /** The longest time of one completion in milliseconds; default 900,000. */
  totalMs?: number;
}

/** A model that wllama runs. */
export interface WllamaModel extends LoadableModel {
  /** Deletes the fetched file from the browser's storage; the next load fetches it again. */
  forget(): Promise<void>;
}

const SHOWN = "The model in this page";

/**
 * How many tokens of a prompt are read at once: after each batch progress is told, and a stop takes hold.
 *
 * On one core that is every two seconds. Batches of 32 take a quarter longer, of 256 a tenth less.
 */
const BATCH_TOKENS = 64;

/** The longest unpacked file, and the memory in GB that a device has to have for one, where nobody says otherwise. */
const UNPACKED_BYTES = 768 << 20;
const ROOMY_GB = 4;

/** Gives a model that wllama runs; nothing is fetched or read before it is loaded or asked. Throws PurestepError. */
export function wllamaModel(options: WllamaOptions): WllamaModel {
  if ((options.url === undefined) === (options.file === undefined))
    throw new PurestepError("invalid_input", "expected url or file: where the GGUF file is, or the file itself");
  const engine = new Llama(options);
  const name = options.name ?? fileName(options);
  const model = new InPageModel(name, engine, windowOf(options), true, undefined, options.taught);
  return Object.assign(model, { forget: () => engine.forget() });
}

class Llama implements Engine<WllamaEngine> {
  readonly shown = SHOWN;
  readonly library = "wllama";
  readonly totalMs: number;

  constructor(readonly options: WllamaOptions) {
    this.totalMs = options.totalMs ?? 900_000;
  }

  async load(signal: AbortSignal): Promise<WllamaEngine> {
    checkFeatures(this.options.compat !== undefined);
    if (this.options.file) checkMemory(this.options.file.size);
    const progress = new ProgressReporter(this.options.onProgress);
    const store = await this.#engine(ignore);
    await checkWasm(this.#wasmUrl(), signal);
    const packed = await this.#blobs(store, progress, signal);
    const adapter = await this.#adapter(store, progress, signal);
    let failed: unknown;
    for (const way of this.#ways()) {
      try {
        const files = [...(way.unpacks ? await this.#unpacked(packed) : packed), ...adapter];
        return await this.#start(files, adapter.length, way.threads, progress, signal);
      } catch (error) {
        if (signal.aborted) throw stoppedError();
        failed = error;
      }
    }
    throw failed;
  }

  #wasmUrl(): string {
    const { wasmUrl, compat } = this.options;
    return compat && needsCompat() ? compat.wasm : wasmUrl;
  }

  /** Gives the ways to load it, the fastest first; a device may have less room than it says. */
  #ways(): { unpacks: boolean; threads: number }[] {
    const threads = this.#threads();
    const packed = { unpacks: false, threads };
    const alone = threads > 1 ? [{ unpacks: false, threads: 1 }] : [];
    return this.#unpacks() ? [{ unpacks: true, threads }, packed, ...alone] : [packed, ...alone];
  }

  async #start(
    files: ReadableFile[],
    adapters: number,
    threads: number,
    progress: ProgressReporter,
    signal: AbortSignal,
  ): Promise<WllamaEngine> {
    let alarm: (fault: Error) => void = ignore;
    const engine = await this.#engine((...said) => alarm(new Error(said.map((each) => thrown(each).text).join(" "))));
    // Of a worker that does not start, wllama only logs, and then waits for ever.
    const broken = new Promise<never>((_, reject) => (alarm = reject));
    broken.catch(ignore);
    const stop = (): void => void engine.exit();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      progress.report(0, "Starting the model.");
      await Promise.race([engine.loadModel(files, this.#settings(files.length, adapters, threads)), broken]);
      // wllama settles here also when llama.cpp has refused a file.
      const { success, n_vocab, n_ctx } = engine.getLoadedContextInfo();
      if (success === false || n_vocab <= 0 || n_ctx <= 0) throw new Error("llama.cpp refused the file");
      signal.throwIfAborted();
      progress.done("The model is ready.");
      return engine;
    } catch (error) {
      await engine.exit();
      throw loadError(error, this.options.adapter !== undefined);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #blobs(engine: WllamaEngine, progress: ProgressReporter, signal: AbortSignal): Promise<Blob[]> {
    const { url, file, sha256 } = this.options;
    return this.#opened(engine, file ?? url!, sha256?.model, "model", progress, signal);
  }

  /** Gives the file of the adapter, which belongs to one model file. */
  async #adapter(engine: WllamaEngine, progress: ProgressReporter, signal: AbortSignal): Promise<Blob[]> {
    const { adapter, sha256 } = this.options;
    if (!adapter) return [];
    const from = "file" in adapter ? adapter.file : adapter.url;
    return this.#opened(engine, from, sha256?.adapter, "adapter", progress, signal);
  }

  /** Gives a file once it has the digest that it has to have; one that was fetched and has another is not kept. */
  async #opened(
    engine: WllamaEngine,
    from: Blob | string,
    digest: string | undefined,
    what: "model" | "adapter",
    progress: ProgressReporter,
    signal: AbortSignal,
  ): Promise<Blob[]> {
    const { modelManager } = engine;
    const blobs = await (typeof from === "string" ? openModel(modelManager, from, progress, signal) : openFile(from));
    try {
      if (digest) await checkDigest(blobs, digest, what);
    } catch (error) {
      if (typeof from === "string") await modelManager.cacheManager.delete(from);
      throw error;
    }
    return blobs;
  }

  async #unpacked(packed: Blob[]): Promise<ReadableFile[]> {
    const most = this.options.unpack ? Number.POSITIVE_INFINITY : UNPACKED_BYTES / packed.length;
    return Promise.all(packed.map((file) => unpackedWeights(file, most)));
  }

  #unpacks(): boolean {
    const device = globalThis.navigator as { readonly deviceMemory?: number } | undefined;
    return this.options.unpack ?? (device?.deviceMemory ?? 0) >= ROOMY_GB;
  }

  async unload(engine: WllamaEngine): Promise<void> {
    await engine.exit();
  }

  async forget(): Promise<void> {
    const { url, adapter } = this.options;
    const fetched = [url, adapter && "url" in adapter ? adapter.url : undefined].filter((each) => each !== undefined);
    if (fetched.length === 0) return; // a file from the disk is not kept
    const engine = await this.#engine(ignore);
    for (const each of fetched) await engine.modelManager.cacheManager.delete(each);
  }

  async *generate(engine: WllamaEngine, request: ModelRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    // Told each time: a request without it would keep the prefix that another scale has read.
    const lora = this.options.adapter && { lora: [{ id: 0, scale: 1 }] };
    const body = { ...chatBody(request, SHOWN), ...lora, return_progress: true, abortSignal: signal };
    const chunks = ((await engine.createChatCompletion(body as never)) as AsyncIterable<unknown>)[
      Symbol.asyncIterator
    ]();
    let hasEnded = false;
    try {
      for (;;) {
        const { done, value } = await chunks.next();
        if (done) break;
        // After a stop its error is waited for: nobody would hear it once the reply is given up.
        if (!signal.aborted) yield value;
      }
      hasEnded = true;
    } catch (error) {
      hasEnded = true;
      throw error;
    } finally {
      if (!hasEnded) void toItsEnd(chunks);
    }
  }

  promptProgress(chunk: unknown): PromptProgress | undefined {
    const told = isObject(chunk) ? chunk["prompt_progress"] : undefined;
    if (!isObject(told)) return undefined;
    return { readTokens: Number(told["processed"]), totalTokens: Number(told["total"]) };
  }

  isLost(error: unknown): boolean {
    const { name, text } = thrown(error);
    return name === "RuntimeError" || /\((?:ABORT|OOM)\)|memory/i.test(text);
  }

  async #engine(onError: (...said: unknown[]) => void): Promise<WllamaEngine> {
    const { Wllama } = await (this.options.wllama ?? defaultModule)();
    const logger = { debug: ignore, log: ignore, warn: ignore, error: onError };
    const config = { suppressNativeLog: true, logger, allowOffline: true };
    try {
      const engine = new Wllama({ default: this.options.wasmUrl }, config);
      // Without this it would take the files for Safari from a CDN.
      engine.setCompat(this.options.compat ?? null);
      return engine;
    } catch (error) {
      throw engineError(error);
    }
  }

  #threads(): number {
    if (globalThis.crossOriginIsolated !== true) return 1; // without shared memory
    // llama.cpp's threads wait for each other by spinning: one too many makes all of them crawl.
    return this.options.threads ?? Math.max(1, Math.floor((globalThis.navigator?.hardwareConcurrency ?? 1) / 2));
  }

  #settings(files: number, adapters: number, threads: number): Record<string, unknown> {
    return {
      n_ctx: windowOf(this.options),
      n_gpu_layers: 0,
      n_parallel: 1,
      n_batch: BATCH_TOKENS,
      n_ubatch: BATCH_TOKENS,
      n_threads: threads,
      jinja: true,
      // Thinking stays in the text: the core reads it there.
      reasoning_format: "none",
      warmup: false,
      // wllama names the files so, in the order in which they are given.
      ...(adapters > 0 && {
        lora_adapters: [{ path: `models/model-${fiveDigits(files)}-of-${fiveDigits(files)}.gguf` }],
      }),
    };
  }
}

/** Hears what still comes of a reply that was given up, its error as well. */
async function toItsEnd(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await chunks.next()).done);
  } catch {
    // it was stopped, as it should be
  }
}

async function defaultModule(): Promise<WllamaModule> {
  return (await import("@wllama/wllama/esm/index.js")) as unknown as WllamaModule;
}

function fiveDigits(number: number): string {
  return String(number).padStart(5, "0");
}

function windowOf({ windowTokens = 4096 }: WllamaOptions): number {
  return windowTokens;
}

function ignore(): void {}

function fileName({ url, file }: WllamaOptions): string {
  const last = file ? (file as Partial<File>).name : url!.split(/[?#]/, 1)[0]!.split("/").at(-1);
  return last?.replace(/\.gguf$/i, "") || "local";
}

function engineError(error: unknown): PurestepError {
  if (globalThis.isSecureContext === false) {
    return new PurestepError(
      "unsupported",
      "Models can only be kept by secure pages. Open this one by https, or from localhost.",
    );
  }
  const said = shortly(thrown(error).text);
  return new PurestepError(
    "unsupported",
    `This browser cannot run models in the page${said}. Use a current one, outside private mode.`,
  );
}

function loadError(error: unknown, isAdapted: boolean): PurestepError {
  if (error instanceof PurestepError) return error;
  const { text } = thrown(error);
  const damaged =
    "Its file may be damaged (forget() deletes one that was fetched), of an unknown kind, or too large for this page.";
  const advice = isAdapted ? `${damaged} Or its adapter is damaged, or belongs to another model.` : damaged;
  return new PurestepError("model_load", `The model cannot be loaded${shortly(text)}. ${advice}`);
}
