/**
 * The tool fetch_url: GET a web page as text, from hosts that the page's owner named.
 *
 * A page cannot resolve host names as a native host does, so pages are fetched only from named hosts, without cookies
 * and referrer. Browsers hide redirects: there the final address is checked before the answer is used; other hosts
 * check every redirect.
 */
import type { Tool } from "../agent/ports.js";
import {
  ACCEPTED_TYPES,
  FETCH_TIME_LIMIT_MS,
  HTML_TYPES,
  MAX_PAGE_BYTES,
  MAX_REDIRECTS,
  MAX_URL_CHARS,
  PAGE_CUT_NOTICE,
  REDIRECT_STATUSES,
  TEXT_TYPE_ENDS,
  TEXT_TYPE_STARTS,
} from "../generated/tool_limits.js";
import { TOOL_SPECS } from "../generated/tool_specs.js";
import { textOf, type ComputeFunctions } from "./computed.js";
import { boundedText, toolOfSpec, ToolFailure } from "./tool.js";
import { firstCharacters } from "../characters.js";

/** The hosts that a model may fetch from. */
export interface FetchUrlOptions {
  /** Hosts, each as "name" or "name:port"; no others are asked. */
  allowHosts: readonly string[];
  /** The longest time of a call in milliseconds; default 30,000. */
  timeLimitMs?: number;
  /** Sends requests in the place of the global fetch. */
  fetch?: typeof fetch;
}

/** Gives the tool `fetch_url`; the core reads the text out of HTML. */
export function fetchUrl(core: Pick<ComputeFunctions, "html_text">, options: FetchUrlOptions): Tool {
  const allowed = new Set(options.allowHosts.map((host) => host.toLowerCase()));
  const send = options.fetch ?? ((input: URL, init: RequestInit) => fetch(input, init));
  return toolOfSpec(
    TOOL_SPECS.fetch_url,
    async (params, _call, signal) => {
      const url = target(boundedText(params, "url", MAX_URL_CHARS), allowed);
      return textOfPage(core, await answer(url, allowed, send as typeof fetch, signal));
    },
    options.timeLimitMs ?? FETCH_TIME_LIMIT_MS,
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
    if (!REDIRECT_STATUSES.includes(response.status) || !location) return response;
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
  const headers = { Accept: ACCEPTED_TYPES };
  // Edge hosts have no cookies, and some reject these options.
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

async function textOfPage(core: Pick<ComputeFunctions, "html_text">, response: Response): Promise<string> {
  const host = new URL(response.url || "http://the.host").hostname;
  if (!response.ok)
    throw new ToolFailure(
      firstCharacters(`${host} answered with status ${response.status} ${response.statusText}`.trim(), 200),
    );
  const header = response.headers.get("Content-Type") ?? "";
  const kind = header.split(";", 1)[0]!.trim().toLowerCase() || "text/plain";
  if (!isText(kind)) throw new ToolFailure(`the address holds ${kind}; only text can be fetched`);
  const { bytes, isWhole } = await body(response, host);
  // The start of other text than a page's, such as JSON, may be nothing.
  if (!isWhole && !HTML_TYPES.includes(kind))
    throw new ToolFailure(`the address holds more than ${MAX_PAGE_BYTES} bytes of ${kind}; ask for a part of it`);
  const page = decoder(/charset=["']?([\w.:-]+)/i.exec(header)?.[1]).decode(bytes);
  const text = HTML_TYPES.includes(kind) ? await textOf(core.html_text(page)) : page;
  return isWhole ? text : text + PAGE_CUT_NOTICE;
}

function isText(kind: string): boolean {
  return TEXT_TYPE_STARTS.some((start) => kind.startsWith(start)) || TEXT_TYPE_ENDS.some((end) => kind.endsWith(end));
}

/** Gives the body, or of a longer one its first bytes. */
async function body(response: Response, host: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const found = new Uint8Array(MAX_PAGE_BYTES);
  const reader = response.body?.getReader();
  let size = 0;
  try {
    while (reader && size <= MAX_PAGE_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      found.set(value.subarray(0, Math.max(0, MAX_PAGE_BYTES - size)), size);
      size += value.length;
    }
  } catch {
    throw new ToolFailure(`${host} did not answer properly: its answer ended early`, "io");
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
  return { bytes: found.subarray(0, size), isWhole: size <= MAX_PAGE_BYTES };
}

function decoder(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
