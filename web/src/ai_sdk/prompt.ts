/** What an AI SDK language model is sent: messages, tools and settings of a request under its names. */
import type { ChatMessage, ChatPart, ModelRequest } from "../agent/ports.js";

/** A part of a message; what the SDK calls `providerOptions` is what the provider gave and wants back. */
type Part = Readonly<Record<string, unknown>>;

/** The member of calls and reasoning under which a provider's own data is kept. */
export const PROVIDER_DATA = "ai_sdk";

/** Gives the call options of a request, in the shape that versions 2 to 4 of the specification share but for files. */
export function callOptions(request: ModelRequest, version: string): Record<string, unknown> {
  return {
    prompt: promptOf(request.messages, version),
    ...toolsOf(request),
    ...formatOf(request.response_format),
    ...(request.stop?.length && { stopSequences: request.stop }),
    ...settingsOf(request.sampling ?? {}),
  };
}

const SETTINGS: Readonly<Record<string, string>> = {
  temperature: "temperature",
  max_tokens: "maxOutputTokens",
  max_completion_tokens: "maxOutputTokens",
  top_p: "topP",
  top_k: "topK",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
  seed: "seed",
};

/** Gives the settings that every provider knows; a setting of one server alone has no place in the SDK. */
function settingsOf(sampling: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(sampling).filter(([name, value]) => name in SETTINGS && value !== null);
  return Object.fromEntries(known.map(([name, value]) => [SETTINGS[name], value]));
}

/** Gives what a provider is sent beside messages and tools, by the names that servers have for it. */
export function sentParameters({ sampling, stop, ...asked }: ModelRequest, model: string): Record<string, unknown> {
  const known = Object.entries(sampling ?? {}).filter(([name]) => name in SETTINGS);
  return { ...Object.fromEntries(known), model, stop, response_format: asked.response_format };
}

interface FunctionTool {
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
}

function toolsOf({ tools, tool_choice }: ModelRequest): Record<string, unknown> {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const given = (tools as FunctionTool[]).map(({ function: { name, description, parameters } }) => ({
    type: "function",
    name,
    ...(description && { description }),
    inputSchema: parameters ?? { type: "object", properties: {} },
  }));
  return { tools: given, ...(tool_choice ? { toolChoice: choiceOf(tool_choice) } : {}) };
}

function choiceOf(choice: unknown): Part {
  if (typeof choice === "string") return { type: choice };
  return { type: "tool", toolName: (choice as FunctionTool).function.name };
}

interface ResponseFormat {
  readonly type: string;
  readonly json_schema?: { readonly name?: string; readonly schema?: unknown };
}

function formatOf(format: unknown): Record<string, unknown> {
  if (!format || (format as ResponseFormat).type === "text") return {};
  const { json_schema: { name, schema } = {} } = format as ResponseFormat;
  return { responseFormat: { type: "json", ...(schema ? { schema } : {}), ...(name && { name }) } };
}

function promptOf(messages: readonly ChatMessage[], version: string): Part[] {
  const tools = new Map<string, string>();
  return messages.map((message) => {
    for (const call of message.tool_calls ?? []) tools.set(call.id ?? "", call.function.name);
    return promptMessage(message, tools, version);
  });
}

/** Gives one message; tools: the names of the tools by the ids of the calls so far. */
function promptMessage(message: ChatMessage, tools: ReadonlyMap<string, string>, version: string): Part {
  const { role, content, tool_call_id } = message;
  switch (role) {
    case "system":
      return { role, content: content ?? "" };
    case "assistant":
      return { role, content: [...reasoningOf(message), ...texts(content), ...callsOf(message)] };
    case "tool": {
      const toolCallId = tool_call_id ?? "";
      const output = { type: "text", value: content ?? "" };
      return { role, content: [{ type: "tool-result", toolCallId, toolName: tools.get(toolCallId) ?? "", output }] };
    }
    default:
      return {
        role: "user",
        content: Array.isArray(content) ? content.map((part) => partOf(part, version)) : texts(content),
      };
  }
}

/** Gives a part of the user's message; images and files as the bytes of their data URL. */
function partOf(part: ChatPart, version: string): Part {
  if (part.type === "text") return part;
  const url = urlOf(part);
  const filename = part.type === "file" && part.file.filename;
  const [, mediaType, bytes] = /^data:([^;]*);base64,(.*)$/s.exec(url) ?? [];
  const data = version === "v2" || version === "v3" ? bytes : { type: "data", data: bytes };
  return { type: "file", mediaType, data, ...(filename && { filename }) };
}

function urlOf(part: Exclude<ChatPart, { type: "text" }>): string {
  if (part.type === "image_url") return part.image_url.url;
  if (part.type === "file") return part.file.file_data;
  const { data, format } = part.input_audio;
  return `data:audio/${format === "mp3" ? "mpeg" : format};base64,${data}`;
}

function texts(content: unknown): Part[] {
  return typeof content === "string" && content ? [{ type: "text", text: content }] : [];
}

/** Gives the reasoning that the provider wants back, which `reply.ts` had kept. */
function reasoningOf(message: ChatMessage): Part[] {
  const kept = (message as { reasoning_details?: readonly Part[] }).reasoning_details;
  if (!Array.isArray(kept)) return [];
  return kept.map(({ text = "", [PROVIDER_DATA]: data }) => ({ type: "reasoning", text, ...providerOptions(data) }));
}

function callsOf({ tool_calls }: ChatMessage): Part[] {
  return (tool_calls ?? []).map((call) => ({
    type: "tool-call",
    toolCallId: call.id ?? "",
    toolName: call.function.name,
    input: parsed(call.function.arguments),
    ...providerOptions((call as { extra_content?: Part }).extra_content?.[PROVIDER_DATA]),
  }));
}

function providerOptions(data: unknown): Part {
  return data === undefined ? {} : { providerOptions: data };
}

/** Gives arguments as the value that they are; those that are no JSON as text, since the model has written them so. */
function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
