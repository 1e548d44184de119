/**
 * A model behind an OpenAI-compatible HTTP server, asked with nothing but fetch: in pages, workers, Node and Deno.
 *
 * 429, 5xx and lost connections are tried again with back-off. The stream is read within bounds on size and time,
 * because a server that is wrong, slow or endless must end in an observation.
 */
import type { Model, ModelRequest } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import type { ModelError, ModelOutput } from "../generated/wire.js";
import { chatBody } from "./chat_body.js";
import { chunks, COMPLETE } from "./event_stream.js";
import { isObject, model_error, serverFault, stopped } from "./faults.js";
import { type Patience, patience, pause } from "./patience.js";
import { BadReply, Reply } from "./reply.js";

/** How to reach a server. */
export interface OpenAiOptions {
  /** For example `http://127.0.0.1:8080/v1`; a full address that ends in `/chat/completions` stays as it is. */
  baseUrl: string;
  /** The name to ask for when a request has none; it is recorded in logs. */
  model: string;
  /** The bearer key; left out for servers that want none. It is in no log and no message. */
  apiKey?: string;
  /** The longest silence of the server, in milliseconds; default 180,000, as a large local model reads for minutes. */
  silenceMs?: number;
  /** The longest time of a whole reply, retries included, in milliseconds; default 900,000. */
  totalMs?: number;
  /** How often a request is sent again after 429, 5xx or a lost connection; default 2. */
  maxRetries?: number;
  /** Sends requests in the place of the global fetch, for example a service binding at the edge. */
  fetch?: typeof fetch;
}

type Observation = ModelOutput | ModelError;

const COMPLETIONS_PATH = "/chat/completions";
const CHECK = "Check the base URL (it usually ends in /v1).";
const LATER = "Try again, or raise the time limit if the model is slow.";
// The first wait of a retry and the longest, in milliseconds; a server may ask for up to a minute.
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
const LONGEST_ASKED_WAIT_MS = 60_000;
// An error says why in a line or two; what comes after this is not read.
const MAX_ERROR_BYTES = 65_536;
const AGAIN = new Set([408, 409, 429]);

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
  readonly #url: string;
  readonly #key: string;
  readonly #server: string;
  readonly #send: typeof fetch;
  readonly #silenceMs: number;
  readonly #totalMs: number;
  readonly #maxRetries: number;

  constructor(options: OpenAiOptions) {
    const url = checkedUrl(completionsUrl(options.baseUrl));
    this.name = options.model;
    this.#url = url.href;
    this.#key = checkedKey(options.apiKey ?? "");
    this.#server = `The model server at ${url.host}`;
    // Called as a plain function: fetch refuses to be anyone's method.
    this.#send = options.fetch ?? ((input, init) => fetch(input, init));
    this.#silenceMs = options.silenceMs ?? 180_000;
    this.#totalMs = options.totalMs ?? 900_000;
    this.#maxRetries = options.maxRetries ?? 2;
  }

  async complete(request: ModelRequest, onText: (text: string) => void, signal: AbortSignal): Promise<Observation> {
    const body = JSON.stringify(chatBody(request, this.name));
    const deadline = performance.now() + this.#totalMs;
    for (let triesLeft = this.#maxRetries; ; triesLeft--) {
      const wait = patience([signal], deadline - performance.now(), this.#silenceMs);
      try {
        const answer = await this.#ask(body, onText, wait, triesLeft > 0);
        if (!(answer instanceof Again)) return answer;
        const waitMs = answer.waitMs ?? backOff(this.#maxRetries - triesLeft);
        await pause(Math.min(waitMs, deadline - performance.now()), signal);
      } finally {
        wait.close();
      }
    }
  }

  /** Asks once; gives Again for what may pass, if `again` allows it. */
  async #ask(
    body: string,
    onText: (text: string) => void,
    wait: Patience,
    again: boolean,
  ): Promise<Observation | Again> {
    let response: Response;
    try {
      response = await this.#send(this.#url, { method: "POST", headers: this.#headers(), body, signal: wait.signal });
    } catch (error) {
      if (wait.ended === "owner") return stopped();
      if (again) return new Again();
      return wait.ended === "time" ? this.#timeout(0) : this.#unreachable(error);
    }
    wait.heard();
    if (!response.ok) return this.#refusal(response, wait, again);
    return this.#receive(response, onText, wait);
  }

  #headers(): Record<string, string> {
    const accept = { "Content-Type": "application/json", Accept: "text/event-stream, application/json" };
    return this.#key ? { ...accept, Authorization: `Bearer ${this.#key}` } : accept;
  }

  async #refusal(response: Response, wait: Patience, again: boolean): Promise<Observation | Again> {
    if (again && (AGAIN.has(response.status) || response.status >= 500)) {
      void response.body?.cancel().catch(() => undefined);
      return new Again(askedWait(response.headers));
    }
    const body = await errorBody(response, wait);
    if (wait.ended === "owner") return stopped();
    return serverFault(response.status, body, this.#server, this.#key);
  }

  async #receive(response: Response, onText: (text: string) => void, wait: Patience): Promise<Observation> {
    const reply = new Reply();
    const kind = (response.headers.get("Content-Type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
    try {
      for await (const chunk of chunks(kind, pieces(response, wait))) {
        if (chunk === COMPLETE) return reply.observation();
        if (isObject(chunk) && chunk["error"]) return this.#streamFault(chunk);
        const text = reply.add(chunk);
        if (text !== "") onText(text);
      }
    } catch (error) {
      return this.#broken(error, reply, wait);
    }
    return reply.finish_reason === null ? this.#cut(reply) : reply.observation();
  }

  /** Gives what a reply that could not be read to its end comes to. */
  #broken(error: unknown, reply: Reply, wait: Patience): ModelError {
    if (wait.ended === "owner") return stopped();
    if (wait.ended === "time") return this.#timeout(reply.size);
    if (!(error instanceof BadReply)) return this.#cut(reply);
    const text = `${this.#server} sent something that is no chat completion: ${error.message}. ${CHECK}`;
    return model_error("unavailable", text, error.retryable);
  }

  #streamFault(chunk: Record<string, unknown>): ModelError {
    const status = isObject(chunk["error"]) ? chunk["error"]["code"] : undefined;
    return serverFault(Number.isInteger(status) ? (status as number) : 500, chunk, this.#server, this.#key);
  }

  #timeout(size: number): ModelError {
    return model_error(
      "timeout",
      `${this.#server} did not finish in time; ${size} characters had come. ${LATER}`,
      true,
    );
  }

  #cut(reply: Reply): ModelError {
    return model_error(
      "unavailable",
      `${this.#server} ended its reply early, after ${reply.size} characters. ${LATER}`,
      true,
    );
  }

  #unreachable(error: unknown): ModelError {
    const cause = error instanceof Error ? error.name : "no reason given";
    const advice =
      "Is it running, and is the base URL right? A page also needs its leave to ask from another origin (CORS).";
    return model_error("unavailable", `${this.#server} cannot be reached (${cause}). ${advice}`, true);
  }
}

/** The request is to be sent again, after as long as the server asked for. */
class Again {
  constructor(readonly waitMs?: number) {}
}

/** Gives the pieces of a body; ending early, on either side, gives the connection back. */
async function* pieces(response: Response, wait: Patience): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  // Some hosts leave a read hanging when the request is aborted.
  const end = (): void => void reader.cancel().catch(() => undefined);
  wait.signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (wait.ended) throw new Error("the reading was ended");
      if (done) return;
      wait.heard();
      yield value;
    }
  } finally {
    end();
  }
}

async function errorBody(response: Response, wait: Patience): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of pieces(response, wait)) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > MAX_ERROR_BYTES) return null;
    }
    return JSON.parse(text);
  } catch {
    return null; // the status says enough
  }
}

function backOff(tries: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  // Up to a quarter less, so that many pages that lost one server do not come back at once.
  return wait * (1 - 0.25 * Math.random());
}

/** Gives the milliseconds that a server asks to wait; undefined when it does not, or asks for more than a minute. */
function askedWait(headers: Headers): number | undefined {
  const ms = headers.get("Retry-After-Ms") ?? "";
  const after = headers.get("Retry-After") ?? "";
  const wait = ms !== "" ? Number(ms) : after === "" ? Number.NaN : Number(after) * 1000;
  const asked = Number.isNaN(wait) ? Date.parse(after) - Date.now() : wait;
  return asked >= 0 && asked <= LONGEST_ASKED_WAIT_MS ? asked : undefined;
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
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
