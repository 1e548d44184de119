/** Loads GGUF models by llama.cpp in this tab, one at a time. */
import wasmUrl from "@wllama/wllama/esm/wasm/wllama.wasm?url";
import type { WllamaModel, WllamaOptions } from "../../../src/models/wllama.js";
import { wllamaModel } from "../../../src/models/wllama.js";
import { checkFeatures, checkMemory } from "../../../src/models/wllama_needs.js";
import { wordsOf } from "../data/notices.js";
import { bytes } from "../views/amounts.js";
import type { TellProgress } from "./source.js";

/** Says why llama.cpp cannot run a model of so many bytes here; empty where it can. Nothing is fetched for that. */
export function troubleInTab(modelBytes: number): string {
  try {
    checkFeatures(false);
    checkMemory(modelBytes);
    return "";
  } catch (error) {
    return wordsOf(error);
  }
}

export class WllamaTab {
  #loaded: WllamaModel | undefined;

  /** Loads the model of a file or an address. */
  async load(from: Omit<WllamaOptions, "wasmUrl">, tell: TellProgress, signal: AbortSignal): Promise<WllamaModel> {
    const model = wllamaModel({
      ...from,
      wasmUrl: new URL(wasmUrl, document.baseURI).href,
      onProgress: ({ fraction, text, loadedBytes, totalBytes }) => {
        const amount =
          loadedBytes !== undefined && totalBytes !== undefined ? ` ${bytes(loadedBytes)} of ${bytes(totalBytes)}` : "";
        tell(fraction, `${text}${amount}`);
      },
    });
    this.#loaded = model;
    await model.load(signal);
    return model;
  }

  async unload(): Promise<void> {
    await this.#loaded?.close();
    this.#loaded = undefined;
  }
}
