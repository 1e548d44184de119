/** The built-in model of some browsers. */
import { promptApiModel, promptApiSupport } from "../../../src/models/prompt_api.js";
import type { Source } from "./source.js";

export const browserSource: Source = {
  id: "browser",
  title: "The browser's own model",
  summary: "A model that comes with this browser.",
  trouble: async () => (await promptApiSupport()).problem,
  async load(tell, signal) {
    const model = promptApiModel({ onProgress: ({ fraction, text }) => tell(fraction, text) });
    await model.load(signal);
    return model;
  },
};
