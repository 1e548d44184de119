/** The chosen model, and whether it is loaded. */
import { effect, signal } from "@preact/signals";
import type { Model } from "../../../src/agent/ports.js";
import { coreStatus } from "../core/load_core.js";
import { notify, wordsOf } from "../data/notices.js";
import { modelsOpen, settingsOpen, view } from "../views/layout.js";
import { browserSource } from "./browser_source.js";
import { ggufSource } from "./gguf_source.js";
import { httpSource } from "./http_source.js";
import { scriptedSource } from "./scripted.js";
import type { Source, SourceId } from "./source.js";
import { webllmSource } from "./webllm_source.js";
import { wllamaSource } from "./wllama_source.js";

export const SOURCES: readonly Source[] = [
  wllamaSource,
  ggufSource,
  webllmSource,
  httpSource,
  browserSource,
  scriptedSource,
];

export type ModelStatus =
  | { readonly kind: "none" }
  | { readonly kind: "loading"; readonly share: number; readonly doing: string }
  | { readonly kind: "ready"; readonly model: Model }
  | { readonly kind: "failed"; readonly message: string };

export const chosen = signal<SourceId>("wllama");
export const modelStatus = signal<ModelStatus>({ kind: "none" });
/** Why a source cannot be used here, by its id; empty where it can, absent while that is being found out. */
export const troubles = signal<Partial<Record<SourceId, string>>>({});

let loading: { promise: Promise<Model>; abort: AbortController } | undefined;

export function chosenSource(): Source {
  return SOURCES.find((source) => source.id === chosen.value)!;
}

/**
 * Finds out what keeps each source from being used: the chosen one at once, the others once the core is here or they are
 * on show. To ask for a graphics card makes the browser start one, which would hold up the core.
 */
export function findTroubles(): void {
  const [first, ...others] = [...SOURCES].sort((one) => (one.id === chosen.value ? -1 : 0));
  void findTrouble(first!);
  const end = effect(() => {
    if (coreStatus.value.kind === "loading" && !modelsOpen.value && !settingsOpen.value && view.value === "chat")
      return;
    setTimeout(() => end());
    for (const source of others) void findTrouble(source);
  });
}

async function findTrouble(source: Source): Promise<void> {
  const trouble = await source.trouble().catch(wordsOf);
  troubles.value = { ...troubles.value, [source.id]: trouble };
}

/** Chooses another model; the previous one is unloaded. */
export function choose(id: SourceId): void {
  if (id === chosen.value) return;
  dropModel();
  chosen.value = id;
  if (id === "scripted") void modelReady().catch(() => undefined); // there is nothing to wait for
}

/** Forgets the loaded model, for instance because its settings were changed. */
export function dropModel(): void {
  loading?.abort.abort();
  loading = undefined;
  if (modelStatus.value.kind !== "none")
    void chosenSource()
      .unload?.()
      .catch(() => undefined);
  modelStatus.value = { kind: "none" };
}

/** Gives the chosen model, loaded first if it is not; rejects with what went wrong, which the page shows as well. */
export function modelReady(): Promise<Model> {
  loading ??= startLoading(chosenSource());
  return loading.promise;
}

function startLoading(source: Source): { promise: Promise<Model>; abort: AbortController } {
  const abort = new AbortController();
  const current = (): boolean => !abort.signal.aborted;
  const tell = (share: number, doing: string): void => {
    const before = modelStatus.value.kind === "loading" ? modelStatus.value.share : 0;
    // Progress never decreases.
    if (current()) modelStatus.value = { kind: "loading", share: Math.max(before, share), doing };
  };
  modelStatus.value = { kind: "loading", share: 0, doing: "Starting" };
  // A library that does not notice the abort must not hold the page up.
  const stopped = new Promise<never>((_, reject) =>
    abort.signal.addEventListener("abort", () => reject(new Error("Loading was stopped."))),
  );
  const promise = Promise.race([source.load(tell, abort.signal), stopped]).then(
    (model) => {
      if (current()) modelStatus.value = { kind: "ready", model };
      return model;
    },
    (error: unknown) => {
      if (current()) {
        modelStatus.value = { kind: "failed", message: wordsOf(error) };
        loading = undefined;
        // Where the models are on show, it stands there.
        if (!modelsOpen.value) notify(`The model was not loaded. ${wordsOf(error)}`, "failed");
      }
      throw error;
    },
  );
  return { promise, abort };
}
