/** What models that run in the page have in common: they are loaded once, on demand, and do one thing at a time. */
import type { Model, ModelRequest } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import type { ModelError, ModelOutput } from "../generated/wire.js";
import { model_error, stopped } from "./faults.js";
import { type Patience, patience } from "./patience.js";
import { BadReply, Reply } from "./reply.js";

/** A model that has to be loaded before it answers. */
export interface LoadableModel extends Model {
  /**
   * Loads the model; done once, and again after a failure. The first completion does it too.
   *
   * Throws PurestepError with the code `unsupported`, `no_model`, `storage_full`, `download_failed`, `model_load`,
   * `needs_gesture` or `stopped`.
   */
  load(signal?: AbortSignal): Promise<void>;
  /** Ends what runs and frees the model's memory; `load` may follow. */
  close(): Promise<void>;
}

/** How an engine is run: all that differs between the adapters. */
export interface Engine<Loaded> {
  /** The name to show in messages, for example "The local model". */
  readonly shown: string;
  /** The longest time of one completion in milliseconds. */
  readonly totalMs: number;
  /** Loads the engine; throws PurestepError, also when `signal` aborts. */
  load(signal: AbortSignal): Promise<Loaded>;
  /** Frees it. */
  unload(loaded: Loaded): Promise<void>;
  /** Gives why a request cannot be asked of this engine; undefined when it can. */
  misfit?(request: ModelRequest): ModelError | undefined;
  /** Generates; the chunks are those of an OpenAI stream. When `signal` aborts, they soon end. */
  generate(loaded: Loaded, request: ModelRequest, signal: AbortSignal): AsyncIterable<unknown>;
  /** Gives the observation for what it threw, and whether it has to be loaded anew. */
  fault(error: unknown): { observation: ModelError; lost?: boolean };
}

type Observation = ModelOutput | ModelError;
type OnText = (text: string) => void;

interface Load<Loaded> {
  readonly ready: Promise<Loaded>;
  readonly ending: AbortController;
}

/** A model in the page, over its engine. */
export class InPageModel<Loaded> implements LoadableModel {
  #load: Load<Loaded> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #closing = new AbortController();

  constructor(
    readonly name: string,
    readonly engine: Engine<Loaded>,
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

  complete(request: ModelRequest, onText: OnText, signal: AbortSignal): Promise<Observation> {
    const misfit = this.engine.misfit?.(request);
    if (misfit) return Promise.resolve(misfit);
    const owners = [signal, this.#closing.signal];
    return new Promise((tell) => {
      // An engine does one completion at a time, and one that was stopped still has to come to its end.
      this.#last = this.#last.then(() => this.#takeTurn(request, onText, owners, tell));
    });
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

  /** Runs one completion; `tell` gets its observation, at once when it is stopped. */
  async #takeTurn(
    request: ModelRequest,
    onText: OnText,
    owners: AbortSignal[],
    tell: (o: Observation) => void,
  ): Promise<void> {
    const wait = patience(owners, this.engine.totalMs);
    const end = (): void => tell(wait.ended === "time" ? this.#tooSlow() : stopped());
    wait.signal.addEventListener("abort", end, { once: true });
    try {
      if (wait.ended) return end();
      const load = this.#beginLoad();
      const loaded = await load.ready;
      if (!wait.ended) tell(await this.#generate(load, loaded, request, onText, wait));
    } catch (error) {
      tell(loadFault(error));
    } finally {
      wait.close();
    }
  }

  async #generate(
    load: Load<Loaded>,
    loaded: Loaded,
    request: ModelRequest,
    onText: OnText,
    wait: Patience,
  ): Promise<Observation> {
    const reply = new Reply();
    try {
      for await (const chunk of this.engine.generate(loaded, request, wait.signal)) {
        const text = reply.add(chunk);
        if (text !== "" && !wait.ended) onText(text);
      }
    } catch (error) {
      if (error instanceof BadReply)
        return model_error("unavailable", `${this.engine.shown} failed: ${error.message}.`, true);
      const { observation, lost } = this.engine.fault(error);
      if (lost) this.#forget(load);
      return observation;
    }
    // An engine that was interrupted by somebody else says "abort": what came is no whole reply.
    return reply.finish_reason === null || reply.finish_reason === "abort" ? this.#cut(reply) : reply.observation();
  }

  #tooSlow(): ModelError {
    const seconds = this.engine.totalMs / 1000;
    return model_error(
      "timeout",
      `${this.engine.shown} did not finish in ${seconds} seconds. Ask for fewer tokens.`,
      false,
    );
  }

  #cut(reply: Reply): ModelError {
    return model_error(
      "unavailable",
      `${this.engine.shown} ended its reply early, after ${reply.size} characters. Try again.`,
      true,
    );
  }
}

/** Gives the observation for a model that could not be loaded. */
function loadFault(error: unknown): ModelError {
  const { code, message } = error instanceof PurestepError ? error : new PurestepError("model_load", String(error));
  return code === "stopped" ? stopped() : model_error("unavailable", message, code === "download_failed");
}

/** Settles as `work` does, or fails with the code `stopped` once `signal` aborts. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new PurestepError("stopped", "The loading of the model was stopped."));
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Gives what a library threw as name and text: errors that crossed a worker come as `Name: text`. */
export function thrown(error: unknown): { name: string; text: string } {
  if (error instanceof Error || error instanceof DOMException) return { name: error.name, text: error.message };
  const [, name = "", text = String(error)] =
    /^(?:Uncaught )?(\w*(?:Error|Exception)): ([\s\S]*)$/.exec(String(error)) ?? [];
  return { name, text };
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
    const advice = "Is this machine online, and does the server allow pages of this origin (CORS)? Try again.";
    return new PurestepError("download_failed", `${shown} was not fetched: the connection failed. ${advice}`);
  }
  return undefined;
}
