/**
 * The tool fetch_url: GET a web page as text, from hosts that the page's owner named.
 *
 * A page cannot see where a name leads, as a native host does; so nothing is fetched but from named hosts, without
 * cookies and without saying which page asks. Browsers hide redirects: there the last address is checked before
 * anything of the answer is used; other hosts check every hop.
 */
import type { Tool } from "../agent/ports.js";
import { TOOL_SPECS } from "../generated/tool_specs.js";
import { pageText } from "./page_text.js";
import { textOf, tool, ToolFailure } from "./tool.js";

/** From where a model may fetch. */
export interface FetchUrlOptions {
  /** Hosts, each as "name" or "name:port"; no others are asked. */
  allowHosts: readonly string[];
  /** The longest time of a call in milliseconds; default 30,000. */
  timeLimitMs?: number;
  /** Sends requests in the place of the global fetch. */
  fetch?: typeof fetch;
}

const MAX_URL_CHARS = 2000;
// Browsers allow 20; honest sites need two or three.
const MAX_REDIRECTS = 5;
// The text of a long article with its markup; a small model reads a hundredth of it.
const MAX_BODY_BYTES = 512 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TEXT_TYPE = /^text\/|^application\/(?:json|xml|xhtml\+xml)|\+(?:json|xml)$/;
const HTML_TYPES = ["text/html", "application/xhtml+xml"];

/** Gives the tool `fetch_url`. */
export function fetchUrl(options: FetchUrlOptions): Tool {
  const allowed = new Set(options.allowHosts.map((host) => host.toLowerCase()));
  const send = options.fetch ?? ((input: URL, init: RequestInit) => fetch(input, init));
  return tool(
    TOOL_SPECS.fetch_url,
    async (params, _call, signal) => {
      const url = target(textOf(params, "url", MAX_URL_CHARS), allowed);
      return textOfPage(await answer(url, allowed, send as typeof fetch, signal));
    },
    options.timeLimitMs ?? 30_000,
  );
}

/** Asks, hop by hop where the host shows them, and gives the answer of a named host. */
async function answer(
  first: URL,
  allowed: ReadonlySet<string>,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<Response> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await ask(url, "manual", send, signal);
    if (response.type === "opaqueredirect") return followed(url, allowed, send, signal);
    const location = response.headers.get("Location");
    if (!REDIRECTS.has(response.status) || !location) return response;
    void response.body?.cancel().catch(() => undefined);
    url = target(location, allowed, url);
  }
  throw new ToolFailure(`the page redirects more than ${MAX_REDIRECTS} times`);
}

/** Lets the browser follow its hidden redirects, and checks where they led. */
async function followed(
  url: URL,
  allowed: ReadonlySet<string>,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<Response> {
  const response = await ask(url, "follow", send, signal);
  try {
    target(response.url, allowed);
  } catch (error) {
    void response.body?.cancel().catch(() => undefined);
    throw error;
  }
  return response;
}

async function ask(url: URL, redirect: RequestRedirect, send: typeof fetch, signal: AbortSignal): Promise<Response> {
  const headers = { Accept: "text/html, text/*, application/json" };
  // Hosts at the edge have no cookies to leave out, and some refuse to be told.
  const privacy: RequestInit =
    "credentials" in Request.prototype ? { credentials: "omit", referrerPolicy: "no-referrer" } : {};
  try {
    return await send(url, { headers, redirect, signal, ...privacy });
  } catch {
    const why = "it did not answer, or does not let pages of other origins read it (CORS)";
    throw new ToolFailure(`${url.hostname} cannot be read: ${why}`, "io");
  }
}

/** Gives a checked address; throws ToolFailure for one that may not be fetched. */
function target(text: string, allowed: ReadonlySet<string>, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw new ToolFailure(`${JSON.stringify(text)} is no valid address`, "invalid_arguments");
  const url = new URL(text, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ToolFailure("only addresses with http:// or https:// can be fetched", "invalid_arguments");
  }
  if (!url.hostname || url.username || url.password) {
    throw new ToolFailure("the address must name a host, and no user or password", "invalid_arguments");
  }
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`)) return url;
  const hosts = [...allowed].join(", ") || "none";
  const problem = `this address may not be fetched: ${url.hostname} is not among the hosts that may be asked (${hosts})`;
  throw new ToolFailure(problem, "invalid_arguments");
}

async function textOfPage(response: Response): Promise<string> {
  const host = new URL(response.url || "http://the.host").hostname;
  if (!response.ok)
    throw new ToolFailure(
      `${host} answered with status ${response.status} ${response.statusText}`.trim().slice(0, 200),
    );
  const header = response.headers.get("Content-Type") ?? "";
  const kind = header.split(";", 1)[0]!.trim().toLowerCase() || "text/plain";
  if (!TEXT_TYPE.test(kind)) throw new ToolFailure(`the address holds ${kind}; only text can be fetched`);
  const page = decoder(/charset=["']?([\w.:-]+)/i.exec(header)?.[1]).decode(await body(response, host));
  return HTML_TYPES.includes(kind) ? htmlText(page) : page;
}

/** Gives the body, or its first MAX_BODY_BYTES. */
async function body(response: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const found = new Uint8Array(MAX_BODY_BYTES);
  const reader = response.body?.getReader();
  let size = 0;
  try {
    while (reader && size < MAX_BODY_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      found.set(value.subarray(0, MAX_BODY_BYTES - size), size);
      size = Math.min(MAX_BODY_BYTES, size + value.length);
    }
  } catch {
    throw new ToolFailure(`${host} did not answer properly: its answer ended early`, "io");
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
  return found.subarray(0, size);
}

function decoder(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/** Reads HTML by the host's own parser where it has one, so that pages carry none. */
async function htmlText(page: string): Promise<string> {
  if (typeof DOMParser === "undefined") return (await import("./html_text.js")).htmlText(page);
  // A document made this way runs no script and loads nothing.
  const document = new DOMParser().parseFromString(page, "text/html");
  const title = document.title.trim();
  const text = pageText(document.body, TOOL_SPECS.fetch_url.max_output_chars);
  return title === "" ? text : `${title}\n${text}`.trim();
}
