/** A model behind an OpenAI-compatible server of the user's; the key stays in memory. */
import { signal } from "@preact/signals";
import { openAiModel } from "../../../src/models/openai.js";
import type { Source } from "./source.js";

export const httpSettings = signal({ base_url: "http://127.0.0.1:8080/v1", model: "", key: "" });

export const httpSource: Source = {
  id: "http",
  title: "HTTP endpoint",
  summary: "Any OpenAI-compatible server that allows requests from this page.",
  readsFiles: true,
  trouble: async () => "",
  async load() {
    const { base_url, model, key } = httpSettings.value;
    if (model.trim() === "") throw new Error("Enter the model's name, as the server knows it.");
    const shown = { baseUrl: base_url, model: model.trim(), keyName: "the field Key" };
    return openAiModel({ ...shown, ...(key !== "" && { apiKey: key }) });
  },
};
