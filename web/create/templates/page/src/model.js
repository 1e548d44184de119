import { openAiModel } from "purestep/openai";

export const model = openAiModel({ baseUrl: "/v1", model: import.meta.env.VITE_MODEL });
