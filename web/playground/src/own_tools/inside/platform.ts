/** Of what browsers give programs, what the interpreter does not have: each in its usual form. */
import { host, parse, stringify } from "./host.js";

/** What comes later, by its number: a timer, or an answer of the network. */
const waiting = new Map<number, (answer: string) => void>();
let last = 0;

/** Called by the host. */
export function arrived(id: number, answer: string): void {
  const take = waiting.get(id);
  waiting.delete(id);
  take?.(answer);
}

function later(take: (answer: string) => void): number {
  waiting.set(++last, take);
  return last;
}

function setTimeout(work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): number {
  const id = later(() => work(...given));
  host.wait(id, Number(ms));
  return id;
}

const clearTimeout = (id: number): void => void waiting.delete(id);

interface Answer {
  readonly error?: string;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: readonly [string, string][];
  readonly body: string;
}

class Response {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string> & { get(name: string): string | null };
  readonly #body: string;

  constructor({ status, statusText, url, headers, body }: Answer) {
    [this.ok, this.status, this.statusText, this.url] = [status >= 200 && status < 300, status, statusText, url];
    const found = new Map(headers);
    const get = (name: string): string | null => found.get(String(name).toLowerCase()) ?? null;
    this.headers = { get, has: (name: string) => get(name) !== null, forEach: found.forEach.bind(found) } as never;
    this.#body = body;
  }

  async text(): Promise<string> {
    return this.#body;
  }

  async json(): Promise<unknown> {
    return parse(this.#body);
  }
}

interface Request {
  method?: string;
  headers?: Iterable<[string, string]> | Record<string, string>;
  body?: unknown;
}

function fetch(address: unknown, { method = "GET", headers = {}, body }: Request = {}): Promise<Response> {
  const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  const request = { url: String(address), method: String(method), headers: pairs, body: body && String(body) };
  return new Promise((resolve, reject) => {
    const take = (text: string): void => {
      const answer = parse(text) as Answer;
      if (answer.error === undefined) resolve(new Response(answer));
      else reject(new TypeError(answer.error));
    };
    host.ask(later(take), stringify(request));
  });
}

class URLSearchParams {
  #pairs: [string, string][];

  constructor(given: string | Iterable<[string, string]> | Record<string, unknown> = "") {
    if (typeof given === "string") this.#pairs = pairsOf(given);
    else this.#pairs = [...(Symbol.iterator in given ? given : Object.entries(given))].map(([a, b]) => [a, String(b)]);
  }

  get(name: string): string | null {
    return this.#pairs.find(([each]) => each === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([each]) => each === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  append(name: string, value: unknown): void {
    this.#pairs.push([name, String(value)]);
  }

  set(name: string, value: unknown): void {
    this.delete(name);
    this.append(name, value);
  }

  delete(name: string): void {
    this.#pairs = this.#pairs.filter(([each]) => each !== name);
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#pairs[Symbol.iterator]();
  }

  toString(): string {
    return this.#pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  }
}

function pairsOf(query: string): [string, string][] {
  const decoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
  const parts = query.replace(/^\?/, "").split("&").filter(Boolean);
  return parts.map((part) => {
    const [name = "", ...value] = part.split("=");
    return [decoded(name), decoded(value.join("="))];
  });
}

class URL {
  declare readonly href: string;
  readonly searchParams: URLSearchParams;
  readonly #parts: Readonly<Record<string, string>>;

  constructor(text: unknown, base?: unknown) {
    const question = base === undefined ? [String(text)] : [String(text), String(base)];
    const parts = parse(host.tell("url", stringify(question))) as Record<string, string> | null;
    if (!parts) throw new TypeError(`Invalid URL: ${String(text)}`);
    this.#parts = parts;
    const { href: _, search: __, ...others } = parts;
    Object.assign(this, others);
    this.searchParams = new URLSearchParams(parts["search"] ?? "");
    Object.defineProperty(this, "href", { get: () => this.toString(), enumerable: true });
    Object.defineProperty(this, "search", { get: () => this.#search(), enumerable: true });
  }

  #search(): string {
    const query = this.searchParams.toString();
    return query && `?${query}`;
  }

  toString(): string {
    const [before = ""] = (this.#parts["href"] ?? "").split(/[?#]/);
    return `${before}${this.#search()}${this.#parts["hash"] ?? ""}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

const INTL = ["DateTimeFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "ListFormat"] as const;

/** A format of the browser's: asked for each value. */
function formatOf(kind: (typeof INTL)[number]): unknown {
  return function Format(this: unknown, locales?: unknown, options?: unknown) {
    const ask = (method: string, values: unknown[]): unknown => {
      const question = { kind, locales, options, method, values: values.map((each) => plain(each)) };
      const { error, value } = parse(host.tell("intl", stringify(question))) as { error?: string; value: unknown };
      if (error !== undefined) throw new RangeError(error);
      return value;
    };
    const methods = ["format", "formatToParts", "select", "resolvedOptions"];
    return Object.fromEntries(methods.map((name) => [name, (...values: unknown[]) => ask(name, values)]));
  };
}

const plain = (value: unknown): unknown => (value instanceof Date ? { date: value.getTime() } : value);

type Formats = Record<string, new (locales?: unknown, options?: unknown) => { format(value: unknown): string }>;

/** Has the methods of dates and numbers that write for a place ask the browser. */
function localize(formats: Formats): void {
  const day = { year: "numeric", month: "numeric", day: "numeric" };
  const time = { hour: "numeric", minute: "numeric", second: "numeric" };
  const ways: [object, string, string, object][] = [
    [Number.prototype, "toLocaleString", "NumberFormat", {}],
    [Date.prototype, "toLocaleString", "DateTimeFormat", { ...day, ...time }],
    [Date.prototype, "toLocaleDateString", "DateTimeFormat", day],
    [Date.prototype, "toLocaleTimeString", "DateTimeFormat", time],
  ];
  const styles = ["dateStyle", "timeStyle", "weekday", "year", "month", "day", "hour", "minute", "second"];
  for (const [prototype, name, kind, usual] of ways) {
    const write = function (this: unknown, locales?: unknown, options: object = {}): string {
      const isStyled = kind === "DateTimeFormat" && styles.some((style) => style in options);
      return new formats[kind]!(locales, isStyled ? options : { ...usual, ...options }).format(this);
    };
    Object.defineProperty(prototype, name, { value: write, writable: true, configurable: true });
  }
}

function printed(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const print = (...values: unknown[]): void => host.print(values.map(printed).join(" "));
const random = (kind: string): string => host.tell("random", kind);

/** Puts all of it where programs look for it. */
export function givePlatform(): void {
  const formats = Object.fromEntries(INTL.map((kind) => [kind, formatOf(kind)])) as Formats;
  localize(formats);
  Object.assign(globalThis, {
    console: { log: print, info: print, warn: print, error: print, debug: print },
    setTimeout,
    clearTimeout,
    fetch,
    URL,
    URLSearchParams,
    Intl: formats,
    structuredClone: (value: unknown) => parse(stringify(value)),
    crypto: { randomUUID: () => random("uuid") },
  });
}
