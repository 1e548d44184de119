/** Loads the core into a worker and reports the progress. */
import { computed, signal } from "@preact/signals";
import type { LoadProgress, LoadReport } from "../../../src/core/boot.js";
import type { AnyCore } from "../../../src/core/core.js";
import { accepted } from "../../../src/errors.js";
import { createWorkerCore } from "../../../src/worker/index.js";
import { wordsOf } from "../data/notices.js";

export interface CoreInfo {
  readonly version: string;
  readonly schema_version: number;
}

export type CoreStatus =
  | { readonly kind: "loading"; readonly progress?: LoadProgress }
  | { readonly kind: "ready"; readonly report: LoadReport; readonly info: CoreInfo }
  | { readonly kind: "failed"; readonly message: string };

export const coreStatus = signal<CoreStatus>({ kind: "loading" });

export const coreIsReady = computed(() => coreStatus.value.kind === "ready");

let loading: Promise<AnyCore> | undefined;

/** Gives the core once it is loaded; the first caller starts its loading. */
export function coreReady(): Promise<AnyCore> {
  loading ??= load().catch((error: unknown) => {
    coreStatus.value = { kind: "failed", message: wordsOf(error) };
    throw error;
  });
  return loading;
}

/** Tries again after a failure; only a person starts this, so that the page does not flood a failing server. */
export function loadCoreAgain(): void {
  loading = undefined;
  coreReady().catch(() => undefined); // shown where the core is
}

async function load(): Promise<AnyCore> {
  coreStatus.value = { kind: "loading" };
  const core = await createWorkerCore({
    onProgress: (progress) => (coreStatus.value = { kind: "loading", progress }),
  });
  const info = JSON.parse(accepted(await core.core_info())) as CoreInfo;
  coreStatus.value = { kind: "ready", report: core.report, info };
  return core;
}
