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
  /** Told once when a loaded core is lost: its worker was ended, found no memory or broke off; `restart` brings it back. */
  onLost?: (error: PurestepError) => void;
}

/** A core in a worker. */
export type WorkerCore = { readonly [Name in JsonFunction]: (...args: JsonArguments[Name]) => Promise<string> } & {
  readonly report: LoadReport;
  /**
   * Starts another worker in the place of this one, which calls from now on wait for; shared if it is under way.
   *
   * The core keeps nothing between calls, so a run goes on from its state or its log. Throws as createWorkerCore does.
   */
  restart(): Promise<void>;
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
  const connect = () => WorkerConnection.open(start(options.worker ?? defaultWorker), crossing, options);
  let connection = await connect();
  let opening = Promise.resolve(connection);
  let restarting: Promise<void> | undefined;
  let isClosed = false;
  const opened = async (): Promise<WorkerConnection> => {
    const now = await opening;
    if (isClosed) throw errorOf(CLOSED);
    return now;
  };
  const call = async (name: JsonFunction, args: (string | null | undefined)[]): Promise<string> =>
    (await opened()).call(
      name,
      args.map((argument) => argument ?? null),
    );
  const restart = async (): Promise<void> => {
    connection.end(isClosed ? CLOSED : RESTARTED);
    opening = isClosed ? Promise.reject(errorOf(CLOSED)) : connect();
    connection = await opening;
    if (!isClosed) return;
    connection.end(CLOSED);
    throw errorOf(CLOSED);
  };
  const functions = JSON_FUNCTIONS.map((name) => [name, (...args: (string | null | undefined)[]) => call(name, args)]);
  const core = {
    ...Object.fromEntries(functions),
    get report() {
      return connection.report;
    },
    restart: () => (restarting ??= restart().finally(() => (restarting = undefined))),
    close() {
      isClosed = true;
      connection.end(CLOSED);
    },
  } as WorkerCore;
  return Object.freeze(core satisfies AnyCore);
}

const CLOSED: ErrorData = {
  code: "closed",
  message: "The core was closed. Make another with createWorkerCore.",
  path: "",
};
const RESTARTED: ErrorData = {
  code: "worker_failed",
  message: "The worker of the core was ended, since another was started in its place. Call it again.",
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
  #report: LoadReport | undefined;
  #loading: { resolve(connection: WorkerConnection): void; reject(error: PurestepError): void } | undefined;
  readonly #lock = `purestep-core-${performance.timeOrigin}-${performance.now()}-${Math.random()}`;
  readonly #released = new AbortController();

  private constructor(
    readonly worker: Worker,
    readonly told: Pick<WorkerCoreOptions, "onProgress" | "onLost">,
  ) {
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.#receive(event.data));
    worker.addEventListener("messageerror", () => this.#lost(died("it sent something that cannot be read")));
    worker.addEventListener("error", (event) => {
      event.preventDefault(); // pending calls report it; some hosts would exit otherwise
      this.#lost(died(event.message || unfetched()));
    });
  }

  /** Gives the connection once the worker has loaded the core. */
  static open(
    worker: Worker,
    options: LoadOptions,
    told: Pick<WorkerCoreOptions, "onProgress" | "onLost">,
  ): Promise<WorkerConnection> {
    const connection = new WorkerConnection(worker, told);
    return new Promise((resolve, reject) => {
      connection.#loading = { resolve, reject };
      connection.#send({ type: "load", options, lock: connection.#lock });
    });
  }

  get report(): LoadReport {
    return this.#report!;
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
    this.#released.abort();
    this.worker.terminate();
    this.#loading?.reject(errorOf(why));
    for (const { reject } of this.#waiting.values()) reject(errorOf(why));
    this.#waiting.clear();
  }

  /** Ends what ended by itself, and tells so where nobody else is told. */
  #lost(why: ErrorData): void {
    if (this.#ended) return;
    this.end(why);
    if (this.#report) this.told.onLost?.(errorOf(why));
  }

  /** The lock that the worker holds is free once it has ended, in whatever way. */
  #watch(): void {
    const free = (): void => this.#lost(died("it was ended from outside, or found no memory"));
    navigator.locks?.request(this.#lock, { signal: this.#released.signal }, free).catch(() => undefined);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        return this.told.onProgress?.(message.progress);
      case "held":
        return this.#watch();
      case "loaded":
        this.#report = message.report;
        return this.#loading?.resolve(this);
      case "not_loaded":
        return this.end(message.error);
      case "result":
        return this.#take(message.id)?.resolve(message.output);
      case "failed":
        return this.#take(message.id)?.reject(errorOf(message.error));
      case "lost":
        return this.#lost(message.error.code === "worker_failed" ? died(message.error.message) : message.error);
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
    if (make === defaultWorker && typeof Worker !== "function") throw new ReferenceError("Worker is not defined");
    const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
    // A default policy of the page takes addresses as they are.
    return make === defaultWorker && types && !types.defaultPolicy ? trustedWorker(types) : make();
  } catch (error) {
    const advice =
      "Use loadCore, which runs in this thread where there are no workers; " +
      "a page that demands trusted types has to allow the policy purestep, or to give `worker`.";
    throw new PurestepError("worker_failed", `expected a worker to start; ${String(error)}. ${advice}`);
  }
}

function died(why: string): ErrorData {
  return {
    code: "worker_failed",
    message: `The worker of the core ended: ${why}. Start another with restart() or createWorkerCore.`,
    path: "",
  };
}

function unfetched(): string {
  return globalThis.navigator?.onLine === false
    ? "its file was not fetched, since this machine is offline"
    : "its file was not found, or the page's policy (worker-src) refuses it";
}

function errorOf({ code, message, path }: ErrorData): PurestepError {
  return new PurestepError(code, message, path);
}
