/**
 * A core in a worker: the same functions, returning promises, so that a page stays responsive during a step.
 *
 * The file thread.js has to be served beside this one; bundlers that know `new Worker(new URL(...))`, such as Vite
 * and webpack, take care of that.
 */
import type { BootOptions, LoadReport } from "../core/boot.js";
import type { AnyCore, JsonArguments, JsonFunction } from "../core/core.js";
import { JSON_FUNCTIONS } from "../core/core.js";
import { PurestepError } from "../errors.js";
import type { FromWorker, LoadOptions, ErrorData, ToWorker } from "./messages.js";

/** How to load a core in a worker. */
export interface WorkerCoreOptions extends Pick<BootOptions, "bundleURL" | "tier" | "onProgress"> {
  /** Makes the worker, for pages that serve its file elsewhere; default is the file of this package. */
  worker?: () => Worker;
  /** The addresses of modules whose default exports are dialects of your own: functions cannot cross to a worker. */
  dialects?: readonly (string | URL)[];
}

/** A core in a worker. */
export type WorkerCore = { readonly [Name in JsonFunction]: (...args: JsonArguments[Name]) => Promise<string> } & {
  readonly report: LoadReport;
  /** Ends the worker; calls that are under way fail with the code `closed`. */
  close(): void;
};

/**
 * Loads the core into a worker of its own.
 *
 * Throws PurestepError with the code that loading in this thread has, or `worker_failed` when no worker can be started.
 */
export async function createWorkerCore(options: WorkerCoreOptions = {}): Promise<WorkerCore> {
  const crossing = plain(options); // before the worker starts, since an invalid address throws here
  const connection = new WorkerConnection(start(options.worker ?? defaultWorker));
  const report = await connection.load(crossing, options.onProgress);
  const functions = JSON_FUNCTIONS.map((name) => [
    name,
    (...args: (string | null | undefined)[]) =>
      connection.call(
        name,
        args.map((argument) => argument ?? null),
      ),
  ]);
  const core = { ...Object.fromEntries(functions), report, close: () => connection.end(CLOSED) } as WorkerCore;
  return Object.freeze(core satisfies AnyCore);
}

const CLOSED: ErrorData = {
  code: "closed",
  message: "The core was closed. Make another with createWorkerCore.",
  path: "",
};

interface PendingCall {
  resolve(output: string): void;
  reject(error: PurestepError): void;
}

/** The page's side of one worker. */
class WorkerConnection {
  #waiting = new Map<number, PendingCall>();
  #nextId = 1;
  #ended: ErrorData | undefined;
  #loading: { resolve(report: LoadReport): void; reject(error: PurestepError): void } | undefined;
  #onProgress: BootOptions["onProgress"];

  constructor(readonly worker: Worker) {
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.#receive(event.data));
    worker.addEventListener("messageerror", () => this.end(died("it sent something that cannot be read")));
    worker.addEventListener("error", (event) => {
      event.preventDefault(); // pending calls report it; some hosts would exit otherwise
      this.end(died(event.message || "its file was not found"));
    });
  }

  load(options: LoadOptions, onProgress: BootOptions["onProgress"]): Promise<LoadReport> {
    this.#onProgress = onProgress;
    return new Promise((resolve, reject) => {
      this.#loading = { resolve, reject };
      this.#send({ type: "load", options });
    });
  }

  call(name: JsonFunction, args: (string | null)[]): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(errorOf(this.#ended));
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#send({ type: "call", id, name, args });
    });
  }

  /** Ends the worker; pending and later calls fail with this error. */
  end(why: ErrorData): void {
    if (this.#ended) return;
    this.#ended = why;
    this.worker.terminate();
    this.#loading?.reject(errorOf(why));
    for (const { reject } of this.#waiting.values()) reject(errorOf(why));
    this.#waiting.clear();
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        return this.#onProgress?.(message.progress);
      case "loaded":
        return this.#loading?.resolve(message.report);
      case "not_loaded":
        return this.end(message.error);
      case "result":
        return this.#take(message.id)?.resolve(message.output);
      case "failed":
        return this.#take(message.id)?.reject(errorOf(message.error));
    }
  }

  #take(id: number): PendingCall | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}

function plain({ bundleURL, tier, dialects }: WorkerCoreOptions): LoadOptions {
  // An address that is relative is so to the page, not to the worker's file.
  const absolute = (address: string | URL) => new URL(address, globalThis.location?.href).href;
  return {
    ...(bundleURL === undefined ? {} : { bundleURL: absolute(bundleURL) }),
    ...(dialects === undefined ? {} : { dialects: dialects.map(absolute) }),
    ...(tier === undefined ? {} : { tier }),
  };
}

/** Bundlers look for this very expression. */
function defaultWorker(): Worker {
  return new Worker(new URL("./thread.js", import.meta.url), { type: "module" });
}

interface TrustedTypes {
  readonly defaultPolicy: unknown;
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): PolicyOfScripts;
}

interface PolicyOfScripts {
  createScriptURL(url: string): string;
}

/**
 * Makes the default worker on a page that demands trusted types, whose policies have to allow one named `purestep`.
 *
 * The global is replaced for the length of one call, since bundlers find no worker whose address goes through a function.
 */
function trustedWorker(types: TrustedTypes): Worker {
  policy ??= types.createPolicy("purestep", { createScriptURL: (url) => url });
  const trusted = policy;
  const Native = globalThis.Worker;
  globalThis.Worker = class extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(trusted.createScriptURL(String(url)), options);
    }
  };
  try {
    return defaultWorker();
  } finally {
    globalThis.Worker = Native;
  }
}

let policy: PolicyOfScripts | undefined;

function start(make: () => Worker): Worker {
  try {
    const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
    // A default policy of the page takes addresses as they are.
    return make === defaultWorker && types && !types.defaultPolicy ? trustedWorker(types) : make();
  } catch (error) {
    const advice =
      "Use createAgentCore, which runs in this thread, where there are no workers; " +
      "a page that demands trusted types has to allow the policy purestep, or to give `worker`.";
    throw new PurestepError("worker_failed", `expected a worker to start; ${String(error)}. ${advice}`);
  }
}

function died(why: string): ErrorData {
  return {
    code: "worker_failed",
    message: `The worker of the core ended: ${why}. Make another with createWorkerCore.`,
    path: "",
  };
}

function errorOf({ code, message, path }: ErrorData): PurestepError {
  return new PurestepError(code, message, path);
}
