/** The default model, run by llama.cpp in this tab; its file comes from where the page itself is served. */
import { leastMemory } from "../../../src/models/wllama_needs.js";
import { DEMONSTRATION_MODEL } from "../data/who_answered.js";
import type { Source } from "./source.js";
import { troubleInTab, WllamaTab } from "./wllama_tab.js";

const NAME = DEMONSTRATION_MODEL;
const BASE = "SmolLM2-135M-Instruct.Q4_1";
const BASE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const ADAPTER_SHA256 = "958ff19aafe32db324039207c6171dbcdb3420ff8f22a3273fadcea99ae6aca0";

/** The bytes of the two files. */
const DOWNLOAD_BYTES = 108_770_688;

/** The log-probability of a call from which it is made unasked: by the curve in the card of the adapter. */
const SURE_FROM = -0.3;
/** The log-probability of an answer's text from which it is given. */
const SAID_FROM = -1.5;

const tab = new WllamaTab();

export const wllamaSource: Source = {
  id: "wllama",
  title: "SmolLM2 in this tab",
  summary:
    "A small demonstration model that was taught to call tools: 135M parameters on the CPU, kept by the browser once " +
    "it is there. Nothing leaves this tab.",
  needs: () => ({ downloadBytes: DOWNLOAD_BYTES, memoryBytes: leastMemory(DOWNLOAD_BYTES) }),
  trouble: async () => troubleInTab(DOWNLOAD_BYTES),
  load: (tell, signal) =>
    tab.load(
      {
        name: NAME,
        url: fileAt(BASE),
        adapter: { url: fileAt(NAME) },
        sha256: { model: BASE_SHA256, adapter: ADAPTER_SHA256 },
        // Its prompts are of some hundred tokens; a window of 4,096 takes 47 MB more.
        windowTokens: 2048,
        taught: {
          dialect: "compact",
          supports: ["json_schema", "grammar", "spans", "logprobs"],
          policies: [{ use: "confidence", below: SURE_FROM, acting: "ask", answers_below: SAID_FROM }],
          sha256: BASE_SHA256,
          adapter: { name: NAME, sha256: ADAPTER_SHA256 },
          profile: { tokenizer: "smollm2" },
        },
      },
      tell,
      signal,
    ),
  unload: () => tab.unload(),
};

function fileAt(name: string): string {
  return new URL(`models/${name}.gguf`, document.baseURI).href;
}
