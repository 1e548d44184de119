/** The default model, run by llama.cpp in this tab; its file comes from where the page itself is served. */
import wasmUrl from "@wllama/wllama/esm/wasm/wllama.wasm?url";
import type { WllamaModel } from "../../../src/models/wllama.js";
import { wllamaModel } from "../../../src/models/wllama.js";
import { bytes } from "../views/amounts.js";
import type { Source } from "./source.js";

const NAME = "SmolLM2-135M-Instruct.Q4_1";

let loaded: WllamaModel | undefined;

export const wllamaSource: Source = {
  id: "wllama",
  title: "SmolLM2 in this tab",
  summary: "135M parameters on the CPU; 98 MB once, then kept by the browser. Nothing leaves this tab.",
  trouble: async () => "",
  async load(tell, signal) {
    const model = wllamaModel({
      name: NAME,
      url: new URL(`models/${NAME}.gguf`, document.baseURI).href,
      wasmUrl: new URL(wasmUrl, document.baseURI).href,
      onProgress: ({ fraction, text, loadedBytes, totalBytes }) => {
        const amount =
          loadedBytes !== undefined && totalBytes !== undefined ? ` ${bytes(loadedBytes)} of ${bytes(totalBytes)}` : "";
        tell(fraction, `${text}${amount}`);
      },
    });
    loaded = model;
    await model.load(signal);
    return model;
  },
  async unload() {
    await loaded?.close();
    loaded = undefined;
  },
};
