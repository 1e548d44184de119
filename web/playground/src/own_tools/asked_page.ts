/** What code in a sandbox asks of the browser: an address taken apart, a format, and a request to a named host. */

const URL_PARTS = ["href", "protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin"] as const;
const INTL_KINDS = ["DateTimeFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "ListFormat"];
const INTL_METHODS = ["format", "formatToParts", "select", "resolvedOptions"];

/** Of one answer of the network, in bytes: as much as the result of a tool may have. */
const MAX_ANSWER_BYTES = 1_000_000;
/** A program of one tool needs a few; each holds a connection. */
const MAX_REQUESTS = 8;

/** Answers at once, in JSON. */
export function told(what: string, question: string): string {
  if (what === "url") return JSON.stringify(partsOf(JSON.parse(question) as string[]));
  if (what === "intl") return JSON.stringify(formatted(JSON.parse(question) as FormatQuestion));
  return crypto.randomUUID();
}

function partsOf([text, base]: string[]): object | null {
  if (!URL.canParse(text!, base)) return null;
  const url = new URL(text!, base);
  return Object.fromEntries(URL_PARTS.map((part) => [part, url[part]]));
}

interface FormatQuestion {
  readonly kind: string;
  readonly locales?: string | string[];
  readonly options?: object;
  readonly method: string;
  readonly values: readonly unknown[];
}

type Formats = Record<
  string,
  new (locales?: unknown, options?: unknown) => Record<string, (...values: unknown[]) => unknown>
>;

function formatted({ kind, locales, options, method, values }: FormatQuestion): object {
  if (!INTL_KINDS.includes(kind) || !INTL_METHODS.includes(method)) return { error: `there is no ${kind}.${method}` };
  try {
    const format = new (Intl as unknown as Formats)[kind]!(locales, options);
    return { value: format[method]!(...values.map(valueOf)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function valueOf(value: unknown): unknown {
  const { date } = (value ?? {}) as { date?: unknown };
  return typeof date === "number" ? new Date(date) : value;
}

interface NetworkRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: [string, string][];
  readonly body?: string;
}

let pending = 0;

/** Asks a host that the user has named, without cookies; gives its answer in JSON, or what stood in the way. */
export async function answered(request: string, hosts: readonly string[]): Promise<string> {
  const { url: address, ...init } = JSON.parse(request) as NetworkRequest;
  const trouble = troubleWith(address, hosts);
  if (trouble) return JSON.stringify({ error: trouble });
  if (pending >= MAX_REQUESTS) return JSON.stringify({ error: `at most ${MAX_REQUESTS} requests are open at once` });
  pending++;
  try {
    // A host that leads elsewhere would be asked for another one that nobody has named.
    const hidden = {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      redirect: "error",
      cache: "no-store",
    } as const;
    const response = await fetch(address, { ...init, ...hidden });
    const { status, statusText, url } = response;
    return JSON.stringify({ status, statusText, url, headers: [...response.headers], body: await bodyOf(response) });
  } catch (error) {
    const { host } = new URL(address);
    if (error instanceof RangeError) return JSON.stringify({ error: error.message });
    const why = "it does not answer, redirects, or does not let pages of other origins read it (CORS)";
    return JSON.stringify({ error: `${host} cannot be read: ${why}` });
  } finally {
    pending--;
  }
}

function troubleWith(address: string, hosts: readonly string[]): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) return `${address.slice(0, 200)} is no http address`;
  if (hosts.includes(url.host) || (url.port === "" && hosts.includes(url.hostname))) return undefined;
  const named = hosts.length === 0 ? "none is named" : `named are ${hosts.join(", ")}`;
  return `this tool may not ask ${url.host}: its user has to name that host (${named})`;
}

async function bodyOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.length;
    if (size > MAX_ANSWER_BYTES) {
      void reader?.cancel().catch(() => undefined);
      throw new RangeError(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}
