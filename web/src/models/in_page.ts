/** The common part of models that run in the page: loaded once, on demand; one completion at a time. */
import type { Model, ModelEnd, ModelRequest, PromptProgress, ReplySink } from "../agent/ports.js";
import { type Deadline, deadline, LONGEST_TIMER_MS } from "../deadline.js";
import { PurestepError } from "../errors.js";
import type { ModelError, ReplyEnd } from "../generated/wire.js";
import { sentParameters } from "./chat_body.js";
import { firstCharacters } from "../characters.js";

/** A model that has to be loaded before it answers. */
export interface LoadableModel extends Model {
  /**
   * Loads the model; done once, and again after a failure. The first completion does it too.
   *
   * Throws PurestepError with the code `unsupported`, `no_model`, `storage_full`, `download_failed`, `model_load`,
   * `needs_gesture` or `stopped`.
   */
  load(signal?: AbortSignal): Promise<void>;
  /** Stops the completion and frees the model's memory; `load` may follow. */
  close(): Promise<void>;
}

/** What differs between the adapters of engines. */
export interface Engine<Loaded> {
  /** The name to show in messages, for example "The local model". */
  readonly shown: string;
  /** The library's name in the core's table of faults. */
  readonly library: string;
  /** The longest time of one completion in milliseconds. */
  readonly totalMs: number;
  /** Loads the engine; throws PurestepError, also when `signal` aborts. */
  load(signal: AbortSignal): Promise<Loaded>;
  /** Frees it. */
  unload(loaded: Loaded): Promise<void>;
  /** Gives the error for a request that this engine does not support; undefined if it does. */
  unsupportedReason?(request: ModelRequest): ModelError | undefined;
  /** Gives the parameters that are sent, where they are not those of a chat completion. */
  parameters?(request: ModelRequest, model: string): Record<string, unknown>;
  /** Generates; the chunks are those of an OpenAI stream. They end soon after `signal` aborts. */
  generate(loaded: Loaded, request: ModelRequest, signal: AbortSignal): AsyncIterable<unknown>;
  /** Gives what a chunk says of the prompt, if it is about that alone. */
  promptProgress?(chunk: unknown): PromptProgress | undefined;
  /** Tells whether the engine has to be reloaded after this error. */
  isLost(error: unknown): boolean;
  /** Gives the token counts in a context overflow error. */
  sizes?(error: unknown): Pick<ReplyEnd, "used" | "window">;
}

interface Load<Loaded> {
  readonly ready: Promise<Loaded>;
  readonly ending: AbortController;
}

/** Gives the request with plain numbers only: engines take it apart, or send it to a worker. */
function plainRequest(request: ModelRequest): ModelRequest {
  return JSON.parse(JSON.stringify(request)) as ModelRequest;
}

/** A model in the page, over its engine. */
export class InPageModel<Loaded> implements LoadableModel {
  #load: Load<Loaded> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closing = new AbortController();

  constructor(
    readonly name: string,
    readonly engine: Engine<Loaded>,
    readonly windowTokens?: number,
    readonly scores = false,
    readonly supports?: Model["supports"],
    readonly taught?: Model["taught"],
  ) {}

  async load(signal?: AbortSignal): Promise<void> {
    const { ready, ending } = this.#beginLoad();
    const stop = (): void => ending.abort();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    await ready.finally(() => signal?.removeEventListener("abort", stop));
  }

  async close(): Promise<void> {
    const load = this.#load;
    this.#load = undefined;
    this.#last = Promise.resolve();
    this.#closing.abort();
    this.#closing = new AbortController();
    load?.ending.abort();
    const loaded = await load?.ready.catch(() => undefined);
    if (loaded !== undefined) await this.engine.unload(loaded);
  }

  parameters(request: ModelRequest): Record<string, unknown> {
    return this.engine.parameters?.(request, this.name) ?? sentParameters(request, this.name);
  }

  complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal): Promise<ModelEnd> {
    const unsupportedReason = this.#unreadParts(request) ?? this.engine.unsupportedReason?.(request);
    if (unsupportedReason) return Promise.resolve(unsupportedReason);
    const owners = [signal, this.#closing.signal];
    return new Promise((tell) => {
      // One completion at a time; a stopped one also has to end first.
      this.#last = this.#last.then(() => this.#takeTurn(plainRequest(request), reply, owners, tell));
    });
  }

  /** Gives why a request cannot be answered that has images or files: the models of a page read text. */
  #unreadParts({ messages }: ModelRequest): ModelEnd | undefined {
    if (!messages.some(({ content }) => Array.isArray(content))) return undefined;
    const message = `${this.engine.shown} reads no images and files, except text files. Choose another model.`;
    return { type: "model_error", code: "refused", message };
  }

  #beginLoad(): Load<Loaded> {
    if (this.#load) return this.#load;
    const ending = new AbortController();
    const load = { ready: unlessEnded(this.engine.load(ending.signal), ending.signal), ending };
    this.#load = load;
    // A load that failed may be tried again.
    load.ready.catch(() => this.#forget(load));
    return load;
  }

  #forget(load: Load<Loaded> | undefined): void {
    if (this.#load === load) this.#load = undefined;
  }

  /** Runs one completion; `tell` receives how it ended, at once if it is stopped. */
  async #takeTurn(
    request: ModelRequest,
    reply: ReplySink,
    owners: AbortSignal[],
    tell: (end: ReplyEnd) => void,
  ): Promise<void> {
    const limit = deadline(owners, this.engine.totalMs);
    const end = (): void => tell(limit.ended === "time" ? this.#tooSlow() : this.#end("stopped"));
    limit.signal.addEventListener("abort", end, { once: true });
    try {
      if (limit.ended) return end();
      const load = this.#beginLoad();
      const loaded = await load.ready;
      if (!limit.ended) tell(await this.#generate(load, loaded, request, reply, limit));
    } catch (error) {
      tell(this.#unloaded(error));
    } finally {
      limit.close();
    }
  }

  async #generate(
    load: Load<Loaded>,
    loaded: Loaded,
    request: ModelRequest,
    reply: ReplySink,
    limit: Deadline,
  ): Promise<ReplyEnd> {
    try {
      for await (const chunk of this.engine.generate(loaded, request, limit.signal)) {
        if (!limit.ended) this.#pass(chunk, reply);
        if (reply.isOver) break;
      }
    } catch (error) {
      if (this.engine.isLost(error)) this.#forget(load);
      const { name, text } = thrown(error);
      return this.#end("thrown", { name: String(name), message: String(text), ...this.engine.sizes?.(error) });
    }
    return this.#end("ended");
  }

  /** Passes a chunk on: as a part of the reply, or as what it says of the prompt. */
  #pass(chunk: unknown, reply: ReplySink): void {
    const progress = this.engine.promptProgress?.(chunk);
    if (progress) reply.promptRead?.(progress);
    else reply.chunk(JSON.stringify(chunk));
  }

  #end(kind: NonNullable<ReplyEnd["kind"]>, members: Partial<ReplyEnd> = {}): ReplyEnd {
    const { shown, library } = this.engine;
    return { type: "reply_end", kind, source: shown, library, ...members };
  }

  #tooSlow(): ReplyEnd {
    return this.#end("timeout", { limit_ms: Math.round(Math.min(this.engine.totalMs, LONGEST_TIMER_MS)) });
  }

  /** Gives how a reply ended whose model could not be loaded. */
  #unloaded(error: unknown): ReplyEnd {
    const { code, message } = error instanceof PurestepError ? error : new PurestepError("model_load", String(error));
    if (code === "stopped") return this.#end("stopped");
    return this.#end(code === "download_failed" ? "not_fetched" : "not_loaded", { message });
  }
}

/** Gives the observation for a request that an engine does not support. */
export function refused(message: string): ModelError {
  return { type: "model_error", code: "refused", message, retryable: false };
}

/** Gives an error's text as `: text`, shortened; "" if it has none. */
export function shortly(text: string): string {
  return text.trim() === "" ? "" : `: ${firstCharacters(text.trim(), 300)}`;
}

/** Gives the error of a load that its owner stopped. */
export function stoppedError(): PurestepError {
  return new PurestepError("stopped", "The loading of the model was stopped.");
}

/** Settles as `work` does, or fails with the code `stopped` once `signal` aborts. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(stoppedError());
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Gives what a library threw as name and text: errors that crossed a worker come as `Name: text`. */
export function thrown(error: unknown): { name: string; text: string } {
  if (error instanceof Error || error instanceof DOMException) return { name: error.name, text: error.message };
  if (error instanceof Event) return { name: "Error", text: eventWords(error) };
  const [, name = "", text = String(error)] =
    /^(?:Uncaught )?(\w*(?:Error|Exception)): ([\s\S]*)$/.exec(String(error)) ?? [];
  return { name, text };
}

/** Gives words for the event by which a worker tells that it failed; its own text says nothing. */
function eventWords(event: Event): string {
  const { message, filename, lineno } = event as Partial<ErrorEvent>;
  if (!message)
    return "its worker did not start; the page's policy has to allow worker-src blob: and script-src 'wasm-unsafe-eval'";
  const place = filename && !filename.startsWith("blob:") ? ` (${filename}:${lineno ?? 0})` : "";
  return `its worker failed with ${message}${place}`;
}

/** Whether the browser says that it has no network. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** Gives the error of a fetch that got no answer. */
export function notFetched(shown: string): PurestepError {
  const why = isOffline()
    ? "this machine is offline. Go online and try again; once fetched, it works without a network."
    : "the connection failed. Is this machine online, and does the server allow pages of this origin (CORS)? Try again.";
  return new PurestepError("download_failed", `${shown} was not fetched: ${why}`);
}

/** Gives the error of a load that failed for a reason that all engines share; undefined for any other. */
export function storageOrNetwork(error: unknown, shown: string): PurestepError | undefined {
  const { name, text } = thrown(error);
  if (error instanceof PurestepError) return error;
  if (name === "QuotaExceededError" || /quota/i.test(text)) {
    const advice = "Make room on the disk, or delete other sites' data in the browser's settings, then try again.";
    return new PurestepError(
      "storage_full",
      `${shown} does not fit the storage that the browser gives this page. ${advice}`,
    );
  }
  if (name === "NetworkError" || /failed to fetch|network ?error|fetch failed|load failed/i.test(text)) {
    return notFetched(shown);
  }
  return undefined;
}
