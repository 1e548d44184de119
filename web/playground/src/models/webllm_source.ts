/** Models on the graphics card, by WebLLM; its library is loaded only when it is chosen. */
import { signal } from "@preact/signals";
import type { WebLlmModelInfo } from "../../../src/models/webllm.js";
import { webGpuSupport, webLlmModel, webLlmModels } from "../../../src/models/webllm.js";
import type { LoadableModel } from "../../../src/models/in_page.js";
import { wordsOf } from "../data/notices.js";
import type { Source } from "./source.js";

/** The small instruct model that most graphics cards can hold. */
const FIRST_CHOICE = "Qwen2.5-0.5B-Instruct-q4f16_1-MLC";

export const webllmModel = signal(FIRST_CHOICE);
/** The list to choose from; a text while there is none says why. */
export const webllmModels = signal<readonly WebLlmModelInfo[] | string>("The list of models is loading.");

let listing: Promise<void> | undefined;
let loaded: LoadableModel | undefined;

/** Gets the list, once; only those that this graphics card can compute. */
export function listWebllmModels(): Promise<void> {
  listing ??= list().catch((error: unknown) => {
    listing = undefined;
    webllmModels.value = `The list of models could not be loaded. ${wordsOf(error)}`;
  });
  return listing;
}

async function list(): Promise<void> {
  const [models, support] = await Promise.all([webLlmModels(), webGpuSupport()]);
  const usable = models.filter((model) => support.shaderF16 || !model.needsF16);
  webllmModels.value = usable;
  if (!usable.some((model) => model.id === webllmModel.value)) webllmModel.value = usable[0]?.id ?? "";
}

/** Gives the window that WebLLM lists for a model; undefined where it lists none, or has no list. */
async function listedWindow(id: string): Promise<number | undefined> {
  const models = await webLlmModels().catch(() => []);
  return models.find((model) => model.id === id)?.windowTokens;
}

export const webllmSource: Source = {
  id: "webllm",
  title: "WebLLM",
  summary: "Larger models on this machine's graphics card, downloaded once.",
  needs: () => {
    const listed = webllmModels.value;
    const model = typeof listed === "string" ? undefined : listed.find(({ id }) => id === webllmModel.value);
    return {
      ...(model?.downloadMB !== undefined && { downloadBytes: model.downloadMB * 1e6 }),
      ...(model?.vramMB !== undefined && { memoryBytes: model.vramMB * 1e6 }),
    };
  },
  trouble: async () => (await webGpuSupport()).problem,
  async load(tell, signal) {
    const id = webllmModel.value;
    const windowTokens = await listedWindow(id);
    const model = webLlmModel({
      model: id,
      ...(windowTokens !== undefined && { windowTokens }),
      onProgress: ({ fraction, text }) => tell(fraction, text),
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
