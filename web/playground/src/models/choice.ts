/** Which model the run asks, and whether it is there yet. */
import { signal } from "@preact/signals";
import type { Model } from "../../../src/agent/ports.js";
import { notify, words_of } from "../data/notices.js";
import { browser_source } from "./browser_source.js";
import { http_source } from "./http_source.js";
import { scripted_source } from "./scripted.js";
import type { Source, SourceId } from "./source.js";
import { webllm_source } from "./webllm_source.js";
import { wllama_source } from "./wllama_source.js";

export const SOURCES: readonly Source[] = [wllama_source, webllm_source, http_source, browser_source, scripted_source];

export type ModelStatus =
  | { readonly kind: "none" }
  | { readonly kind: "loading"; readonly share: number; readonly doing: string }
  | { readonly kind: "ready"; readonly model: Model }
  | { readonly kind: "failed"; readonly message: string };

export const chosen = signal<SourceId>("wllama");
export const model_status = signal<ModelStatus>({ kind: "none" });
/** Why a source cannot be used here, by its id; empty where it can, absent while that is being found out. */
export const troubles = signal<Partial<Record<SourceId, string>>>({});

let loading: { promise: Promise<Model>; abort: AbortController } | undefined;

export function chosen_source(): Source {
  return SOURCES.find((source) => source.id === chosen.value)!;
}

export async function find_troubles(): Promise<void> {
  for (const source of SOURCES) {
    const trouble = await source.trouble().catch(words_of);
    troubles.value = { ...troubles.value, [source.id]: trouble };
  }
}

/** Takes another model; the one before gives its memory back. */
export function choose(id: SourceId): void {
  if (id === chosen.value) return;
  drop_model();
  chosen.value = id;
  if (id === "scripted") void model_ready().catch(() => undefined); // there is nothing to wait for
}

/** Forgets the loaded model, for instance because its settings were changed. */
export function drop_model(): void {
  loading?.abort.abort();
  loading = undefined;
  if (model_status.value.kind !== "none")
    void chosen_source()
      .unload?.()
      .catch(() => undefined);
  model_status.value = { kind: "none" };
}

/** Gives the chosen model, loaded first if it is not; rejects with what went wrong, which the page shows as well. */
export function model_ready(): Promise<Model> {
  loading ??= start_loading(chosen_source());
  return loading.promise;
}

function start_loading(source: Source): { promise: Promise<Model>; abort: AbortController } {
  const abort = new AbortController();
  const current = (): boolean => !abort.signal.aborted;
  const tell = (share: number, doing: string): void => {
    const before = model_status.value.kind === "loading" ? model_status.value.share : 0;
    // A bar that runs backwards tells nobody anything.
    if (current()) model_status.value = { kind: "loading", share: Math.max(before, share), doing };
  };
  model_status.value = { kind: "loading", share: 0, doing: "Starting" };
  // A library that does not notice the abort must not hold the page up.
  const stopped = new Promise<never>((_, reject) =>
    abort.signal.addEventListener("abort", () => reject(new Error("The loading was stopped."))),
  );
  const promise = Promise.race([source.load(tell, abort.signal), stopped]).then(
    (model) => {
      if (current()) model_status.value = { kind: "ready", model };
      return model;
    },
    (error: unknown) => {
      if (current()) {
        model_status.value = { kind: "failed", message: words_of(error) };
        loading = undefined;
        notify(`The model was not loaded. ${words_of(error)}`, "failed");
      }
      throw error;
    },
  );
  return { promise, abort };
}
