/** The default model, run by llama.cpp in this tab; its file comes from where the page itself is served. */
import type { Source } from "./source.js";
import { WllamaTab } from "./wllama_tab.js";

const NAME = "SmolLM2-135M-Instruct.Q4_1";

const tab = new WllamaTab();

export const wllamaSource: Source = {
  id: "wllama",
  title: "SmolLM2 in this tab",
  summary: "135M parameters on the CPU; 98 MB once, then kept by the browser. Nothing leaves this tab.",
  trouble: async () => "",
  load: (tell, signal) =>
    tab.load({ name: NAME, url: new URL(`models/${NAME}.gguf`, document.baseURI).href }, tell, signal),
  unload: () => tab.unload(),
};
