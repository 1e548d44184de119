/**
 * A language model of the AI SDK as the model of an agent: any provider of versions 5 to 7, without the SDK itself.
 *
 * A request is sent once, and the core interprets the reply and what its errors mean, as of a server.
 */
import type { Model, ModelRequest, ReplySink } from "../agent/ports.js";
import { type Deadline, deadline } from "../deadline.js";
import { PurestepError } from "../errors.js";
import { FAULT_HEADERS, MAX_ERROR_BODY_CHARS } from "../generated/reply_bounds.js";
import type { ReplyEnd } from "../generated/wire.js";
import { ChunkWriter, type StreamPart } from "./chunks.js";
import { callOptions, sentParameters } from "./prompt.js";
import { firstCharacters } from "../characters.js";

/** A language model as providers of the AI SDK make it: the versions 2, 3 and 4 of its specification. */
export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  // Each version has a type of its own for the options; those that are sent here have the same names in all of them.
  doStream(options: any): PromiseLike<{ stream: ReadableStream<any> }>;
}

/** What the agent has to know of the model. */
export interface AiSdkModelOptions {
  /** The window that the model has, in tokens; absent where it is not known. */
  windowTokens?: number;
  /** Options for the provider, by its name, as `providerOptions` of the SDK takes them. */
  providerOptions?: Record<string, Record<string, unknown>>;
  /** The key that the provider was given: error messages that repeat it are shown, and logged, without it. */
  secret?: string;
  /** The longest silence of the provider, in milliseconds; default 180,000. */
  silenceMs?: number;
  /** The longest time of a whole reply, in milliseconds; default 900,000. */
  totalMs?: number;
}

const VERSIONS = ["v2", "v3", "v4"];

/** Gives the model of an agent; nothing is sent yet. Throws PurestepError for what is no such model. */
export function aiSdkModel(model: LanguageModelLike, options: AiSdkModelOptions = {}): Model {
  if (typeof model?.doStream !== "function" || !VERSIONS.includes(model.specificationVersion)) {
    const got = typeof model === "string" ? `the text "${model}"` : `version ${model?.specificationVersion ?? "none"}`;
    const expected = `expected a language model of a provider, of the versions ${VERSIONS.join(", ")}`;
    throw new PurestepError(
      "invalid_input",
      `${expected}; got ${got}. Make it with a provider, such as openai("name")`,
    );
  }
  return new ProviderModel(model, options);
}

class ProviderModel implements Model {
  readonly name: string;
  readonly profile = "server";
  readonly windowTokens: number | undefined;
  readonly #ended: ReplyEnd;

  constructor(
    readonly model: LanguageModelLike,
    readonly options: AiSdkModelOptions,
  ) {
    this.name = model.modelId;
    this.windowTokens = options.windowTokens;
    this.#ended = {
      type: "reply_end",
      source: `The provider ${model.provider}`,
      secret: options.secret ?? "",
      key_name: "the provider's API key",
    };
  }

  parameters(request: ModelRequest): Record<string, unknown> {
    return sentParameters(request, this.name);
  }

  async complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal): Promise<ReplyEnd> {
    const { silenceMs = 180_000, totalMs = 900_000 } = this.options;
    const limit = deadline([signal], totalMs, silenceMs);
    try {
      const end = await this.#ask(request, reply, limit);
      return limit.ended ? this.#end(limit.ended === "owner" ? "stopped" : "timeout") : end;
    } finally {
      limit.close();
    }
  }

  async #ask(request: ModelRequest, reply: ReplySink, limit: Deadline): Promise<ReplyEnd> {
    const { providerOptions } = this.options;
    const asked = callOptions(request, this.model.specificationVersion);
    const options = { ...asked, abortSignal: limit.signal, ...(providerOptions && { providerOptions }) };
    try {
      const { stream } = await abortable(this.model.doStream(options), limit.signal);
      limit.resetSilence();
      return this.#end((await this.#receive(stream, reply, limit)) ? "ended" : "cut");
    } catch (error) {
      return this.#fault(error);
    }
  }

  /** Passes the parts on; tells whether the stream said that it is complete, or need not be read further. */
  async #receive(stream: ReadableStream<StreamPart>, reply: ReplySink, limit: Deadline): Promise<boolean> {
    const reader = stream.getReader();
    const writer = new ChunkWriter();
    try {
      for (;;) {
        const { done, value } = await abortable(reader.read(), limit.signal);
        if (done) return false;
        limit.resetSilence();
        if (value.type === "error" && isStatusError(value.error)) throw value.error;
        const chunk = writer.chunkOf(value);
        if (chunk) reply.chunk(JSON.stringify(chunk));
        if (value.type === "finish" || value.type === "error" || reply.isOver) return true;
      }
    } finally {
      void reader.cancel().catch(() => undefined);
    }
  }

  /** Gives how a request ended that was refused or never arrived. */
  #fault(error: unknown): ReplyEnd {
    if (isStatusError(error)) {
      const { statusCode: status, responseHeaders: sent = {}, responseBody = "" } = error;
      const given = FAULT_HEADERS.filter((name) => sent[name] !== undefined);
      const headers = Object.fromEntries(given.map((name) => [name, sent[name]!]));
      return this.#end("status", { status, headers, body: firstCharacters(responseBody, MAX_ERROR_BODY_CHARS) });
    }
    const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) };
    if (name === "AI_APICallError" || name === "TypeError") return this.#end("unreachable", { name });
    // A key that is missing, or a request that this provider cannot take: the SDK says it in words for people.
    return this.#end("not_loaded", { message: `${this.#ended.source} could not be asked: ${message}` });
  }

  #end(kind: NonNullable<ReplyEnd["kind"]>, members: Partial<ReplyEnd> = {}): ReplyEnd {
    return { ...this.#ended, kind, ...members };
  }
}

/** What the SDK throws for a server's refusal. */
interface StatusError {
  readonly statusCode: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

function isStatusError(error: unknown): error is StatusError {
  return typeof error === "object" && error !== null && typeof (error as StatusError).statusCode === "number";
}

/** Settles as `work` does, or rejects when `signal` aborts: a provider may leave a read hanging then. */
async function abortable<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop!: () => void;
  const stopped = new Promise<never>((_, reject) => (stop = () => reject(new Error("the reading was ended"))));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
