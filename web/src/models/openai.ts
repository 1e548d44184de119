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
import { checkNames, namesOf } from "../member_names.js";
import { FAULT_HEADERS, MAX_ERROR_BODY_CHARS, MAX_REPLY_LINE_BYTES } from "../generated/reply_bounds.js";
import type { ReplyEnd } from "../generated/wire.js";
import { OTHER_KINDS, SERVER_KINDS } from "../generated/server_kinds.js";
import { addressAdvice } from "./address_advice.js";
import { chatBody } from "./chat_body.js";
import { chunks, NotUtf8, TooLong } from "./event_stream.js";
import { firstCharacters, hasMoreCharacters } from "../characters.js";

/** The name of a kind of server. */
export type ServerName = keyof typeof SERVER_KINDS;

/** How to reach a server. */
export interface OpenAiOptions {
  /**
   * For example `http://127.0.0.1:8080/v1`, or in a page `/v1` for a proxy on its origin; a full address that ends in
   * `/chat/completions` stays as it is. Default is that of `server`.
   */
  baseUrl?: string;
  /** Which server it is, such as `ollama`, for its address and how it wants to be asked; default `openai` without a `baseUrl`. */
  server?: ServerName;
  /**
   * The name to ask for when a request has none; it is recorded in logs. `SERVER:NAME`, such as `openai:gpt-5`, names
   * the server too, where neither `server` nor `baseUrl` does.
   */
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
  /** What the key is called in messages about it; default "the option apiKey". */
  keyName?: string;
  /** The longest silence of the server, in milliseconds; default 180,000, as a large local model reads for minutes. */
  silenceMs?: number;
  /** The longest time of a whole reply, in milliseconds; default 900,000. */
  totalMs?: number;
  /** Keeps the server's address out of messages, and so out of the log; for services whose callers may not know it. */
  hideAddress?: boolean;
  /** Sends requests in the place of the global fetch, for example a service binding at the edge. */
  fetch?: typeof fetch;
}

const OPTIONS = namesOf<Required<OpenAiOptions>>({
  baseUrl: true,
  server: true,
  model: true,
  windowTokens: true,
  scores: true,
  apiKey: true,
  keyName: true,
  silenceMs: true,
  totalMs: true,
  hideAddress: true,
  fetch: true,
});

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
  const base = path.replace(/(?<!\/)\/+$/, "");
  return (base.endsWith(COMPLETIONS_PATH) ? base : base + COMPLETIONS_PATH) + query;
}

/** Members that the core takes with a message: more than any request has. */
const MOST_REFUSED = 16;
/** How long a server's list of models is waited for, which has just answered, in milliseconds; and its longest text. */
const LIST_MS = 5000;
const MOST_LIST_CHARS = 4_000_000;
const NOT_THERE = [404, 405];

/** What servers have refused since this module was loaded, by address and model. */
const refusals = new Map<string, Set<string>>();

class HttpModel implements Model {
  readonly name: string;
  readonly profile: string;
  readonly windowTokens: number | undefined;
  readonly scores: boolean;
  readonly #url: URL;
  readonly #isHidden: boolean;
  readonly #key: string;
  readonly #ended: ReplyEnd;
  readonly #send: typeof fetch;
  readonly #silenceMs: number;
  readonly #totalMs: number;

  constructor(options: OpenAiOptions) {
    checkNames(options, OPTIONS, "the options of openAiModel");
    if (typeof options.model !== "string")
      throw new PurestepError("invalid_input", "expected model: the name of a model of the server", "/model");
    const named = namedServer(options);
    const { profile, baseUrl } = serverOf(named);
    const url = checkedUrl(completionsUrl(baseUrl));
    this.name = named.model;
    this.profile = profile;
    this.windowTokens = options.windowTokens;
    this.scores = options.scores ?? false;
    this.#url = url;
    this.#isHidden = options.hideAddress ?? false;
    this.#key = checkedKey(options.apiKey ?? "");
    const key_name = options.keyName ?? "the option apiKey";
    this.#ended = { type: "reply_end", secret: this.#key, key_name, ...called(url, options) };
    // Called as a plain function: fetch refuses to be anyone's method.
    this.#send = options.fetch ?? ((input, init) => fetch(input, init));
    this.#silenceMs = options.silenceMs ?? 180_000;
    this.#totalMs = options.totalMs ?? 900_000;
  }

  /** What its server has refused of requests in this process, as the core has told with a later one. */
  get refused(): readonly string[] {
    return [...this.#known(this.name)].slice(0, MOST_REFUSED);
  }

  async complete(request: ModelRequest, reply: ReplySink, signal: AbortSignal): Promise<ReplyEnd> {
    for (const member of request.without ?? []) this.#known(request.model || this.name).add(member);
    const asked = request.model || this.name;
    const body = chatBody(request, this.name);
    const limit = deadline([signal], this.#totalMs, this.#silenceMs);
    try {
      const end = await this.#ask(body, asked, reply, limit);
      if (!limit.ended || (end.kind !== "cut" && end.kind !== "unreachable" && end.kind !== "insecure")) return end;
      // It failed because of the time limit or an abort.
      return this.#end(limit.ended === "owner" ? "stopped" : "timeout");
    } finally {
      limit.close();
    }
  }

  async #ask(
    body: Readonly<Record<string, unknown>>,
    asked: string,
    reply: ReplySink,
    limit: Deadline,
  ): Promise<ReplyEnd> {
    let response: Response;
    try {
      response = await this.#send(this.#url.href, {
        method: "POST",
        headers: this.#headers(),
        body: writeExactly(body),
        signal: limit.signal,
      });
    } catch (error) {
      return this.#unsent(error, limit);
    }
    limit.resetSilence();
    return response.ok
      ? this.#receive(response, reply, limit)
      : this.#refused(response, asked, Object.keys(body), limit);
  }

  /** Gives why nothing was sent; a page is told the same of a server that is away and of one that does not let it ask. */
  async #unsent(error: unknown, limit: Deadline): Promise<ReplyEnd> {
    const tls = tlsFault(error);
    if (tls !== undefined) return this.#end("insecure", { message: tls });
    const origin = pageOrigin();
    if (origin !== undefined && origin !== this.#url.origin && (await answers(this.#url, limit.signal))) {
      const allow = `Have it allow the origin ${origin}`;
      const proxy = 'or ask a proxy on the page\'s own origin: baseUrl "/v1"';
      const message = `${this.#ended.source} is there, but does not let this page ask it (CORS). ${allow}, ${proxy}.`;
      return this.#end("not_loaded", { message });
    }
    return this.#end("unreachable", { name: error instanceof Error ? error.name : "no reason given" });
  }

  #known(model: string): Set<string> {
    const at = `${this.#url.href} ${model}`;
    const known = refusals.get(at) ?? new Set();
    refusals.set(at, known);
    return known;
  }

  #headers(): Record<string, string> {
    const accept = { "Content-Type": "application/json", Accept: "text/event-stream, application/json" };
    return this.#key ? { ...accept, Authorization: `Bearer ${this.#key}` } : accept;
  }

  async #refused(response: Response, asked: string, sent: string[], limit: Deadline): Promise<ReplyEnd> {
    const given = FAULT_HEADERS.filter((name) => response.headers.has(name));
    const headers = Object.fromEntries(given.map((name) => [name, response.headers.get(name)!]));
    const { status } = response;
    const body = await textOf(response, limit, MAX_ERROR_BODY_CHARS);
    // One whose address nobody may know tells nothing of it either.
    const isToldMore = NOT_THERE.includes(status) && !this.#isHidden;
    const advice = isToldMore ? await addressAdvice(this.#url, asked, (url) => this.#listed(url, limit.signal)) : "";
    return this.#end("status", { status, headers, body, sent, ...(advice && { advice }) });
  }

  /** Gives the names of the models that are listed at an address of the same server, which gets the same key. */
  async #listed(url: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const limit = deadline([signal], LIST_MS);
    try {
      const response = await this.#send(url, { headers: this.#headers(), signal: limit.signal });
      const found = JSON.parse(await textOf(response, limit, MOST_LIST_CHARS)) as { data?: unknown };
      if (!response.ok || !Array.isArray(found.data)) return undefined;
      return found.data.map((each) => (each as { id?: unknown } | null)?.id).filter((id) => typeof id === "string");
    } catch {
      return undefined; // what it said first is told
    } finally {
      limit.close();
    }
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

/** Gives the start of a body, so many characters at most; an error's says why in a line or two. */
async function textOf(response: Response, limit: Deadline, mostChars: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of pieces(response, limit)) {
      text += decoder.decode(piece, { stream: true });
      if (hasMoreCharacters(text, mostChars)) break;
    }
  } catch {
    // The status says enough.
  }
  return firstCharacters(text, mostChars);
}

/** Gives the origin of the page or its worker; undefined elsewhere. */
function pageOrigin(): string | undefined {
  return (globalThis as { location?: { origin: string } }).location?.origin;
}

/** Tells whether a server is there, though a page may not read what it answers. */
async function answers({ origin }: URL, signal: AbortSignal): Promise<boolean> {
  const asked = fetch(origin, { mode: "no-cors", signal });
  return asked.then(
    () => true,
    () => false,
  );
}

/** Gives the options with the server that the model's name begins with, where nothing else names one. */
function namedServer(options: OpenAiOptions): OpenAiOptions {
  const { server, baseUrl, model } = options;
  const word = /^[^:]*(?=:)/.exec(model)?.[0];
  if (server !== undefined || baseUrl !== undefined || word === undefined) return options;
  if (OTHER_KINDS.includes(word)) {
    // Else OpenAI would be asked, and given the key.
    const message = `expected a server of chat completions (${Object.keys(SERVER_KINDS).join(", ")}), got ${word}: use the AI SDK's provider for it, or name a gateway as baseUrl`;
    throw new PurestepError("invalid_input", message, "/model");
  }
  const names = Object.keys(SERVER_KINDS) as ServerName[];
  // The kind itself, or the name of its profile: Python's `openai-chat` is what `openai` is here.
  const found = names.find((each) => each === word) ?? names.find((each) => SERVER_KINDS[each].profile === word);
  if (found === undefined) return options;
  const name = model.slice(word.length + 1);
  if (name === "") throw new PurestepError("invalid_input", `expected ${word}:NAME, got ${model}`, "/model");
  return { ...options, server: found, model: name };
}

/** Gives where a server is and how it wants to be asked; throws for one that there is not, or that lacks its key. */
function serverOf({ server, baseUrl, apiKey }: OpenAiOptions): { profile: string; baseUrl: string } {
  if (baseUrl !== undefined && server === undefined) return { profile: "server", baseUrl };
  const name = server ?? "openai";
  if (!Object.hasOwn(SERVER_KINDS, name)) {
    const message = `expected server to be one of ${Object.keys(SERVER_KINDS).join(", ")}; or give its baseUrl`;
    throw new PurestepError("invalid_input", message, "/server");
  }
  const kind = SERVER_KINDS[name];
  if (baseUrl === undefined && !kind.isLocal && !apiKey) {
    const message = `expected apiKey: ${kind.title} (${kind.baseUrl}) wants a key; for another server, name it as server or baseUrl`;
    throw new PurestepError("invalid_input", message, "/apiKey");
  }
  return { profile: kind.profile, baseUrl: baseUrl ?? kind.baseUrl };
}

function checkedUrl(text: string): URL {
  // In a page, `/v1` is a proxy on its own origin; a worker made of a blob has that origin too.
  const origin = text.startsWith("/") ? pageOrigin() : undefined;
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
