/** What a language model of the AI SDK streams, as the chunks of a chat completion that the core puts together. */
import { PROVIDER_DATA } from "./prompt.js";

/** A part of a stream, as versions 2 to 4 of the specification have it; all members are those of some part. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly modelId?: string | undefined;
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** The arguments of a call, as JSON text. */
  readonly input?: string;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: unknown;
  readonly finishReason?: string | { readonly unified: string };
  readonly usage?: UsagePart;
  readonly error?: unknown;
}

type Count = number | undefined;

/** Versions 3 and 4 count by kind; version 2 has one number for each side. */
interface UsagePart {
  readonly inputTokens?: Count | { readonly total: Count; readonly cacheRead?: Count };
  readonly outputTokens?: Count | { readonly total: Count; readonly reasoning?: Count };
  readonly cachedInputTokens?: Count;
  readonly reasoningTokens?: Count;
}

/** Makes chunks of the parts of one stream. */
export class ChunkWriter {
  #calls = 0;
  #thoughts = 0;
  readonly #open = new Map<string, { text: string; data: unknown }>();

  /** Gives the chunk of a part; undefined for a part that adds nothing. */
  chunkOf(part: StreamPart): object | undefined {
    switch (part.type) {
      case "text-delta":
        return delta({ content: part.delta });
      case "tool-call":
        return part.providerExecuted ? undefined : delta({ tool_calls: [this.#call(part)] });
      case "reasoning-start":
      case "reasoning-delta":
        return this.#think(part);
      case "reasoning-end":
        return this.#thought(part);
      case "response-metadata":
        return { model: part.modelId, id: part.id, choices: [] };
      case "finish":
        return finished(part);
      case "error":
        return { error: errorMembers(part.error) };
      default:
        return undefined;
    }
  }

  #call({ toolCallId, toolName, input, providerMetadata }: StreamPart): object {
    return {
      index: this.#calls++,
      id: toolCallId,
      type: "function",
      function: { name: toolName, arguments: input },
      ...(providerMetadata !== undefined && { extra_content: { [PROVIDER_DATA]: providerMetadata } }),
    };
  }

  #think({ id = "", delta: text = "", providerMetadata }: StreamPart): undefined {
    const before = this.#open.get(id);
    this.#open.set(id, { text: (before?.text ?? "") + text, data: providerMetadata ?? before?.data });
  }

  /** Gives a piece of reasoning whole, with what its provider wants back, such as a signature. */
  #thought({ id = "", providerMetadata }: StreamPart): object | undefined {
    const { text = "", data } = this.#open.get(id) ?? {};
    this.#open.delete(id);
    const own = providerMetadata ?? data;
    if (!text && own === undefined) return undefined;
    const kept = own === undefined ? {} : { [PROVIDER_DATA]: own };
    return delta({ reasoning_details: [{ type: "reasoning", index: this.#thoughts++, text, ...kept }] });
  }
}

function delta(members: object): object {
  return { choices: [{ delta: members }] };
}

function finished({ finishReason, usage }: StreamPart): object {
  const unified = typeof finishReason === "string" ? finishReason : (finishReason?.unified ?? "other");
  // The SDK writes OpenAI's names with a hyphen.
  return { choices: [{ delta: {}, finish_reason: unified.replace("-", "_") }], usage: usageOf(usage ?? {}) };
}

function usageOf({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: UsagePart): object {
  const [read, written] = [detailed(inputTokens), detailed(outputTokens)];
  return {
    prompt_tokens: read.total,
    completion_tokens: written.total,
    cached_tokens: read["cacheRead"] ?? cachedInputTokens,
    reasoning_tokens: written["reasoning"] ?? reasoningTokens,
  };
}

function detailed(tokens: Count | { readonly total: Count }): Partial<Record<string, number>> & { total?: number } {
  return (typeof tokens === "object" ? tokens : { total: tokens }) as Record<string, number>;
}

/** Gives the error in a stream as the core reads one in the place of a chunk. */
function errorMembers(error: unknown): object {
  if (typeof error === "object" && error !== null) {
    const { message, type, code } = error as { message?: unknown; type?: unknown; code?: unknown };
    return { message: String(message ?? "no reason given"), type, code };
  }
  return { message: String(error) };
}
