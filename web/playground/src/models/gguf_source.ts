/** A GGUF file of the person's own, from the disk or from an address, run by llama.cpp in this tab. */
import { signal } from "@preact/signals";
import { leastMemory } from "../../../src/models/wllama_needs.js";
import type { Source } from "./source.js";
import { troubleInTab, WllamaTab } from "./wllama_tab.js";

/** The chosen file, which goes before the address; both are forgotten with the page. */
export const ggufSettings = signal<{ readonly file?: File; readonly url: string }>({ url: "" });

const tab = new WllamaTab();

export const ggufSource: Source = {
  id: "gguf",
  title: "GGUF file",
  summary: "One of yours, on the CPU in this tab. A file from the disk is read where it is; nothing leaves this tab.",
  needs: () => {
    const { file } = ggufSettings.value;
    return file ? { downloadBytes: 0, memoryBytes: leastMemory(file.size) } : {};
  },
  trouble: async () => troubleInTab(0),
  async load(tell, signal) {
    const { file, url } = ggufSettings.value;
    return tab.load(file ? { file } : { url: addressOf(url) }, tell, signal);
  },
  unload: () => tab.unload(),
};

/** Gives an address that was typed; throws for what is none. */
function addressOf(typed: string): string {
  const given = typed.trim();
  if (given === "") throw new Error("Choose a GGUF file, or enter the address of one.");
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Error("This is no web address. Expected something like https://example.com/model.gguf.");
  return new URL(given).href;
}
