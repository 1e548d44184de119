/**
 * The core as a page wants it: in a worker, so that no task of the page is long, or in the page itself where none can be
 * had; in this thread everywhere else.
 */
import type { LoadReport } from "../core/boot.js";
import type { AnyCore } from "../core/core.js";
import { createAgentCore } from "../core/core.js";
import { PurestepError } from "../errors.js";
import type { WorkerCoreOptions } from "./index.js";
import { createWorkerCore } from "./index.js";
import { dialectAt } from "./dialect_at.js";

/** A core in a worker or in this thread. */
export type LoadedCore = AnyCore & {
  /** Starts another worker in the place of one that was lost, if there is one. */
  restart(): Promise<void>;
  /** Ends the worker, if there is one. */
  close(): void;
};

/** What says that a page can have no worker, or none that may compile; the page itself may be able to. */
const NO_WORKER: readonly string[] = ["worker_failed", "blocked_by_csp"];

/**
 * Loads the core: in a page into a worker, elsewhere into this thread. Where a page can have no worker, it is loaded into
 * the page, and `report.noWorker` says why.
 *
 * Throws PurestepError as `createAgentCore` does.
 */
export async function loadCore(options: WorkerCoreOptions = {}): Promise<LoadedCore> {
  if (typeof document === "undefined") return inThisThread(options, null);
  try {
    return await createWorkerCore(options);
  } catch (error) {
    // What was not fetched for want of a network, the page gets no better.
    const isOffline = globalThis.navigator?.onLine === false;
    if (isOffline || !(error instanceof PurestepError) || !NO_WORKER.includes(error.code)) throw error;
    return await inThisThread(options, { code: error.code, message: error.message });
  }
}

async function inThisThread(options: WorkerCoreOptions, noWorker: LoadReport["noWorker"]): Promise<LoadedCore> {
  const { worker: _, onLost: __, dialects = [], ...rest } = options;
  try {
    const core = await createAgentCore(rest);
    for (const address of dialects) {
      core.registerDialect(await dialectAt(new URL(address, globalThis.location?.href).href));
    }
    const kept = { restart: () => Promise.resolve(), close: () => undefined };
    return Object.freeze({ ...core, ...kept, report: { ...core.report, noWorker } });
  } catch (error) {
    if (!noWorker || !(error instanceof PurestepError)) throw error;
    throw new PurestepError(error.code, `${error.message}. Before that the worker failed: ${noWorker.message}`);
  }
}
