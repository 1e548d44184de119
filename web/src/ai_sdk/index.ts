/** The AI SDK: its language models as the model of an agent, and an agent as the stream that `useChat` reads. */
export { aiSdkModel, type AiSdkModelOptions, type LanguageModelLike } from "./model.js";
export { AgentTransport, uiMessageStream, type UiStreamOptions } from "./ui_stream.js";
