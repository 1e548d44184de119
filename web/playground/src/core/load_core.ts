/** Loads the core into a worker, and tells how far that has come. */
import { computed, signal } from "@preact/signals";
import type { LoadProgress, LoadReport } from "../../../src/core/boot.js";
import type { AnyCore } from "../../../src/core/core.js";
import { accepted } from "../../../src/errors.js";
import { createWorkerCore } from "../../../src/worker/index.js";
import { words_of } from "../data/notices.js";

export interface CoreInfo {
  readonly version: string;
  readonly schema_version: number;
}

export type CoreStatus =
  | { readonly kind: "loading"; readonly progress?: LoadProgress }
  | { readonly kind: "ready"; readonly report: LoadReport; readonly info: CoreInfo }
  | { readonly kind: "failed"; readonly message: string };

export const core_status = signal<CoreStatus>({ kind: "loading" });

export const core_is_ready = computed(() => core_status.value.kind === "ready");

let loading: Promise<AnyCore> | undefined;

/** Gives the core as soon as it is there; the first caller starts its loading. */
export function core_ready(): Promise<AnyCore> {
  loading ??= load().catch((error: unknown) => {
    core_status.value = { kind: "failed", message: words_of(error) };
    throw error;
  });
  return loading;
}

/** Tries once more after a failure: a person decides that, or the page would hammer a server that is away. */
export function load_core_again(): void {
  loading = undefined;
  core_ready().catch(() => undefined); // shown where the core is
}

async function load(): Promise<AnyCore> {
  core_status.value = { kind: "loading" };
  const core = await createWorkerCore({
    onProgress: (progress) => (core_status.value = { kind: "loading", progress }),
  });
  const info = JSON.parse(accepted(await core.core_info())) as CoreInfo;
  core_status.value = { kind: "ready", report: core.report, info };
  return core;
}
