/**
 * A model behind an OpenAI-compatible HTTP server, asked with nothing but fetch: in pages, workers, Node and Deno.
 *
 * A request is sent once, and the core interprets the reply. The stream is read within limits on size and time, so that
 * a broken, slow or endless server cannot block a run.
 */
import type { Model, ModelRequest, ReplySink } from "../agent/ports.js";
import { type Deadline, deadline } from "../deadline.js";
import { PurestepError } from "../errors.js";
import { writeExactly } from "../exact_numbers.js";
import { FAULT_HEADERS, MAX_ERROR_BODY_CHARS, MAX_REPLY_LINE_BYTES } from "../generated/reply_bounds.js";
import type { ReplyEnd } from "../generated/wire.js";
import { chatBody } from "./chat_body.js";
import { chunks, NotUtf8, TooLong } from "./event_stream.js";

/** How to reach a server. */
export interface OpenAiOptions {
  /**
   * For example `http://127.0.0.1:8080/v1`, or in a page `/v1` for a proxy on its origin; a full address that ends in
   * `/chat/completions` stays as it is.
   */
  baseUrl: string;
  /** The name to ask for when a request has none; it is recorded in logs. */
  model: string;
  /** The window that the server gives the model, in tokens; absent where it is not known. */
  windowTokens?: number;
  /**
   * Whether the server gives the log-probabilities of texts as llama.cpp's does: `logit_bias` takes texts, and
   * `top_logprobs` as many as are asked for. Default is false; a server that cannot refuses, and words decide then.
   */
  scores?: boolean;
  /** The bearer key; absent for servers that need none. It never appears in a log or message. */
  apiKey?: string;
  /** The longest silence of the server, in milliseconds; default 180,000, as a large local model reads for minutes. */
  silenceMs?: number;
  /** The longest time of a whole reply, in milliseconds; default 900,000. */
  totalMs?: number;
  /** Keeps the server's address out of messages, and so out of the log; for services whose callers may not know it. */
  hideAddress?: boolean;
  /** Sends requests in the place of the global fetch, for example a service binding at the edge. */
  fetch?: typeof fetch;
}

const COMPLETIONS_PATH = "/chat/completions";
const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER|VERIFY)|HOSTNAME_)/;

/** Gives a model behind a server; nothing is sent yet. Throws PurestepError for an address or key that cannot be used. */
export function openAiModel(options: OpenAiOptions): Model {
  return new HttpModel(options);
}

/** Gives where to post for a base URL such as `http://127.0.0.1:8080/v1`; a full address stays. */
export function completionsUrl(baseUrl: string): string {
  const mark = baseUrl.indexOf("?");
  const [path, query] = mark < 0 ? [baseUrl, ""] : [baseUrl.slice(0, mark), baseUrl.slice(mark)];
  const base = path.replace(/\/+$/, "");
  return (base.endsWith(COMPLETIONS_PATH) ? base : base + COMPLETIONS_PATH) + query;
}

class HttpModel implements Model {
  readonly name: string;
  readonly profile = "server";
  readonly windowTokens: number | undefined;
  readonly scores: boolean;
  readonly #url: string;
  readonly #key: string;
  readonly #ended: ReplyEnd;
  readonly #send: typeof fetch;
  readonly #silenceMs: number;
  readonly #totalMs: number;

  constructor(options: OpenAiOptions) {
    const url = checkedUrl(completionsUrl(options.baseUrl));
    this.name = options.model;
    this.windowTokens = options.windowTokens;
    this.scores = options.scores ?? false;
    this.#url = url.href;
    this.#key = checkedKey(options.apiKey ?? "");
    this.#ended = { type: "reply_end", secret: this.#key, key_name: "the option apiKey", ...called(url, options) };
    // Called as a plain function: fetch refuses to be anyone's method.
    this.#send = options.fetch ?? ((input, init) => fetch(input, init));
    this.#silenceMs = options.silenceMs ?? 180_000;
    this.#totalMs = options.totalMs ?? 900_000;
  }

  async complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal): Promise<ReplyEnd> {
    const body = writeExactly(chatBody(request, this.name));
    const limit = deadline([signal], this.#totalMs, this.#silenceMs);
    try {
      const end = await this.#ask(body, reply, limit);
      if (!limit.ended || (end.kind !== "cut" && end.kind !== "unreachable" && end.kind !== "insecure")) return end;
      // It failed because of the time limit or an abort.
      return this.#end(limit.ended === "owner" ? "stopped" : "timeout");
    } finally {
      limit.close();
    }
  }

  async #ask(body: string, reply: ReplySink, limit: Deadline): Promise<ReplyEnd> {
    let response: Response;
    try {
      response = await this.#send(this.#url, { method: "POST", headers: this.#headers(), body, signal: limit.signal });
    } catch (error) {
      const tls = tlsFault(error);
      if (tls !== undefined) return this.#end("insecure", { message: tls });
      const advice = "A page also needs its leave to ask from another origin (CORS).";
      return this.#end("unreachable", { name: error instanceof Error ? error.name : "no reason given", advice });
    }
    limit.resetSilence();
    return response.ok ? this.#receive(response, reply, limit) : this.#refused(response, limit);
  }

  #headers(): Record<string, string> {
    const accept = { "Content-Type": "application/json", Accept: "text/event-stream, application/json" };
    return this.#key ? { ...accept, Authorization: `Bearer ${this.#key}` } : accept;
  }

  async #refused(response: Response, limit: Deadline): Promise<ReplyEnd> {
    const given = FAULT_HEADERS.filter((name) => response.headers.has(name));
    const headers = Object.fromEntries(given.map((name) => [name, response.headers.get(name)!]));
    return this.#end("status", { status: response.status, headers, body: await errorBody(response, limit) });
  }

  async #receive(response: Response, reply: ReplySink, limit: Deadline): Promise<ReplyEnd> {
    const type = (response.headers.get("Content-Type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
    const media_type = type || "unknown";
    try {
      for await (const chunk of chunks(type, pieces(response, limit))) {
        reply.chunk(chunk);
        if (reply.isOver) break;
      }
    } catch (error) {
      if (error instanceof TooLong) return this.#end("too_long", { limit_bytes: MAX_REPLY_LINE_BYTES });
      return this.#end(error instanceof NotUtf8 ? "not_utf8" : "cut", { media_type });
    }
    return this.#end("ended", { media_type });
  }

  #end(kind: NonNullable<ReplyEnd["kind"]>, members: Partial<ReplyEnd> = {}): ReplyEnd {
    return { ...this.#ended, kind, ...members };
  }
}

/** Gives the server's name for messages, and the text to remove from them. */
function called({ host, hostname }: URL, { hideAddress }: OpenAiOptions): Partial<ReplyEnd> {
  // The server's own words may name it without its port.
  return hideAddress
    ? { source: "The model server", hide: [host, hostname] }
    : { source: `The model server at ${host}` };
}

/** Gives why TLS failed, where the host says so: Node and its kin name the cause, browsers tell nothing. */
function tlsFault(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  const code = typeof cause?.code === "string" ? cause.code : "";
  return TLS_CODE.test(code)
    ? code
        .replace(/^ERR_(?:SSL|TLS)_/, "")
        .replaceAll("_", " ")
        .toLowerCase()
    : undefined;
}

/** Yields the pieces of a body; ending early releases the connection. */
async function* pieces(response: Response, limit: Deadline): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  // Some hosts leave a read hanging when the request is aborted.
  const end = (): void => void reader.cancel().catch(() => undefined);
  limit.signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (limit.ended) throw new Error("the reading was ended");
      if (done) return;
      limit.resetSilence();
      yield value;
    }
  } finally {
    end();
  }
}

/** Gives the start of an error's body, which says why in a line or two. */
async function errorBody(response: Response, limit: Deadline): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of pieces(response, limit)) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_ERROR_BODY_CHARS) break;
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, MAX_ERROR_BODY_CHARS);
}

function checkedUrl(text: string): URL {
  // In a page, `/v1` is a proxy on its own origin; a worker made of a blob has that origin too.
  const page = (globalThis as { location?: { origin: string } }).location;
  const origin = text.startsWith("/") ? page?.origin : undefined;
  const url = URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    const message = "expected baseUrl to be an http or https address without user and password; give the key as apiKey";
    throw new PurestepError("invalid_input", message, "/baseUrl");
  }
  return url;
}

function checkedKey(key: string): string {
  if (/^[!-~]*$/.test(key)) return key;
  const message = "expected apiKey to be printable ASCII without spaces; it holds something else, perhaps a line break";
  throw new PurestepError("invalid_input", message, "/apiKey");
}
