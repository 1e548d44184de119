/** Model errors that a person can act on, made from what a server, an engine or the clock says. */
import type { ModelError } from "../generated/wire.js";

/** The codes that the core knows. */
export type ErrorCode = "overflow" | "timeout" | "rate_limit" | "unavailable" | "refused";

// Enough for the reason in a server's error, too little for a page of HTML or a stack trace.
const MAX_DETAIL_CHARS = 300;
const OVERFLOW = new Set<unknown>(["exceed_context_size_error", "context_length_exceeded"]);

type Fields = Readonly<Record<string, unknown>>;

/** Gives a `model_error` observation; `message` is a sentence for people. */
export function model_error(code: ErrorCode, message: string, retryable: boolean): ModelError {
  return { type: "model_error", code, message, retryable };
}

/** Gives the observation of a generation that its signal ended; the run that ended it does not read it. */
export function stopped(): ModelError {
  return model_error("unavailable", "The generation was stopped.", false);
}

/** Gives the observation for a prompt past the window; `used` and `limit` are tokens, where known. */
export function overflow(used?: unknown, limit?: unknown): ModelError {
  const prompt = used ? `The prompt of ${used} tokens` : "The prompt";
  const size = limit ? ` of ${limit} tokens` : "";
  return model_error(
    "overflow",
    `${prompt} does not fit the model's window${size}. Shorten it or use a larger window.`,
    false,
  );
}

/**
 * Gives the observation for an error reply of a server.
 *
 * `status` is the HTTP status, `body` the decoded reply (or null), `server` the name to show, `secret` the key to
 * keep out of the message should the server repeat it.
 */
export function serverFault(status: number, body: unknown, server: string, secret = ""): ModelError {
  const error = errorOf(body);
  if (OVERFLOW.has(error["type"]) || OVERFLOW.has(error["code"]))
    return overflow(error["n_prompt_tokens"], error["n_ctx"]);
  const said = detail(error["message"], secret);
  switch (status) {
    case 401:
    case 403:
      return unauthorized(status, server, secret);
    case 404: {
      const advice = "Check the base URL (it usually ends in /v1) and the model's name.";
      return model_error("unavailable", `${server} found no such address or model (404)${said}. ${advice}`, false);
    }
    case 408:
    case 504:
      return model_error(
        "timeout",
        `${server} ran out of time (${status})${said}. Try again or raise the time limit.`,
        true,
      );
    case 429:
      return rate_limit(error["code"], `${server} takes no more requests now (429)${said}.`);
  }
  if (status >= 500)
    return model_error("unavailable", `${server} failed (${status})${said}. Try again later or look at its log.`, true);
  return model_error(
    "refused",
    `${server} refused the request (${status})${said}. Check the model and its options.`,
    false,
  );
}

function unauthorized(status: number, server: string, secret: string): ModelError {
  const said = secret ? "refused the API key" : "wants an API key, and none is set";
  return model_error("unavailable", `${server} ${said} (${status}). Check the option apiKey.`, false);
}

function rate_limit(code: unknown, text: string): ModelError {
  if (code === "insufficient_quota") return model_error("rate_limit", `${text} The account has no quota left.`, false);
  return model_error("rate_limit", `${text} Wait a moment and try again.`, true);
}

/** Gives the error's members, wherever the server put it: OpenAI nests it, others do not. */
function errorOf(body: unknown): Fields {
  if (!isObject(body)) return {};
  const inner = "error" in body ? body["error"] : body;
  const fields = isObject(inner) ? inner : { message: inner };
  const plain = Object.entries(fields).filter(([, value]) => typeof value === "string" || typeof value === "number");
  return Object.fromEntries(plain);
}

/** Gives `: what was said`, short, on one line and without the key; "" when nothing was said. */
export function detail(message: unknown, secret = ""): string {
  if (typeof message !== "string" || message.trim() === "") return "";
  const line = message.split(/\s+/).filter(Boolean).join(" ");
  // Cleaned before the key is looked for: an invisible character inside must not hide it.
  const clean = line.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, "");
  const shown = secret ? clean.replaceAll(secret, "[key]") : clean;
  return `: ${[...shown].slice(0, MAX_DETAIL_CHARS).join("").replace(/\.+$/, "")}`;
}

/** Tells whether a value is an object with members, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
