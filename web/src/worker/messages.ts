/** The messages between a page and the worker of a core: plain data. */
import type { JsonFunction } from "../core/core.js";
import type { LoadProgress, LoadReport } from "../core/boot.js";

/** How to load the core, as far as it can cross to a worker. */
export interface LoadOptions {
  bundleURL?: string;
  tier?: "snapshot" | "zip";
  /** The addresses of modules whose default exports are dialects. */
  dialects?: string[];
}

export type ToWorker =
  | { readonly type: "load"; readonly options: LoadOptions; readonly lock: string }
  | { readonly type: "call"; readonly id: number; readonly name: JsonFunction; readonly args: (string | null)[] };

export type FromWorker =
  | { readonly type: "progress"; readonly progress: LoadProgress }
  /** The worker holds the lock as long as it lives. */
  | { readonly type: "held" }
  | { readonly type: "loaded"; readonly report: LoadReport }
  | { readonly type: "not_loaded"; readonly error: ErrorData }
  | { readonly type: "result"; readonly id: number; readonly output: string }
  | { readonly type: "failed"; readonly id: number; readonly error: ErrorData }
  /** The interpreter broke off in the middle of a call, so nothing in it can be relied on. */
  | { readonly type: "lost"; readonly error: ErrorData };

/** An error as plain data. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}
