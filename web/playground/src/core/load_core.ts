/** Loads the core and reports the progress. */
import { computed, signal } from "@preact/signals";
import type { LoadProgress, LoadReport } from "../../../src/core/boot.js";
import { accepted } from "../../../src/errors.js";
import type { LoadedCore } from "../../../src/worker/load_core.js";
import { loadCore } from "../../../src/worker/load_core.js";
import { wordsOf } from "../data/notices.js";

export interface CoreInfo {
  readonly version: string;
  readonly schema_version: number;
}

export interface CoreFailed {
  readonly kind: "failed";
  readonly message: string;
  /** Whether it had been loaded, so that there is something to go on with. */
  readonly isLost: boolean;
}

export type CoreStatus =
  | { readonly kind: "loading"; readonly progress?: LoadProgress }
  | { readonly kind: "ready"; readonly report: LoadReport; readonly info: CoreInfo }
  | CoreFailed;

export const coreStatus = signal<CoreStatus>({ kind: "loading" });

export const coreIsReady = computed(() => coreStatus.value.kind === "ready");

/** What the button says that tries again. */
export function againWords({ isLost }: CoreFailed): string {
  return isLost ? "Start it again" : "Try again";
}

/** Whether the core was lost, which the page says in one place. */
export function isCoreLost(): boolean {
  const { value: status } = coreStatus;
  return status.kind === "failed" && status.isLost;
}

let loading: Promise<LoadedCore> | undefined;

/** Gives the core once it is loaded; the first caller starts its loading. One that was lost stays, to be restarted. */
export function coreReady(): Promise<LoadedCore> {
  loading ??= reported(load, false);
  return loading;
}

/** Tries again after a failure; only a person starts this, so that the page does not flood a failing server. */
export function loadCoreAgain(): void {
  const isLost = isCoreLost();
  const before = loading;
  if (!isLost) loading = undefined;
  const again = isLost && before ? reported(() => before.then(restarted), true) : coreReady();
  again.catch(() => undefined); // shown where the core is
}

async function reported(work: () => Promise<LoadedCore>, isLost: boolean): Promise<LoadedCore> {
  coreStatus.value = { kind: "loading" };
  try {
    const core = await work();
    const info = JSON.parse(accepted(await core.core_info())) as CoreInfo;
    coreStatus.value = { kind: "ready", report: core.report, info };
    return core;
  } catch (error) {
    coreStatus.value = { kind: "failed", message: lostWords(error), isLost };
    throw error;
  }
}

/** What happened, without the advice to whoever writes a page. */
function lostWords(error: unknown): string {
  return wordsOf(error).replace(/ Start another with restart\(\) or createWorkerCore\.$/, "");
}

function load(): Promise<LoadedCore> {
  return loadCore({
    onProgress: (progress) => (coreStatus.value = { kind: "loading", progress }),
    onLost: (error) => (coreStatus.value = { kind: "failed", message: lostWords(error), isLost: true }),
  });
}

async function restarted(core: LoadedCore): Promise<LoadedCore> {
  await core.restart();
  return core;
}
