/**
 * The files of the bundle: read in parallel, each compared with the manifest that the package carries.
 *
 * A file that differs from the manifest is never used: a mix of old and new files could compute wrong results.
 */
import { PurestepError } from "../errors.js";
import type { Tier } from "./bundle_manifest.js";
import { MANIFEST, URLS } from "./bundle_manifest.js";
import { defaultRead } from "./default_read.js";
import type { BundleProgress } from "./progress.js";
import { sha256, sha256Now } from "./sha256.js";

export type ReadFile = (name: string, url: URL) => Promise<Response | Uint8Array>;

/** A file read: its name, its size, and the milliseconds it took from the start of the read to the checked hash. */
export interface ReadPart {
  name: string;
  bytes: number;
  ms: number;
}

/** The exported function of a script. */
export type ScriptFunction = (settings: never) => Promise<unknown>;

export class BundleFiles {
  readonly parts: ReadPart[] = [];
  /** Modules that both forms use are read and compiled once. */
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();

  constructor(
    private readonly bundleURL: string | URL | undefined,
    private readonly read: ReadFile | undefined,
    private readonly progress: BundleProgress,
  ) {}

  /** Gives the bytes of a file; throws `bundle_missing` or `bundle_damaged`. */
  async bytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.timed(name, async () => (await this.checkedBody(name)).bytes);
  }

  /** Compiles a WebAssembly file, while it is downloaded if its server sends the right content type. */
  module(name: string): Promise<WebAssembly.Module> {
    const known = this.modules.get(name);
    if (known) return known;
    const module = this.compiled(name);
    this.modules.set(name, module);
    return module;
  }

  /** Whether a file can be read synchronously: in pages and their workers, as long as nobody else reads the files. */
  get canLoadNow(): boolean {
    return !this.read && typeof XMLHttpRequest === "function" && this.urlOf("core.wasm").protocol !== "file:";
  }

  /** Compiles a WebAssembly file before it returns; throws `bundle_missing` or `bundle_damaged`. */
  moduleNow(name: string): WebAssembly.Module {
    const url = this.urlOf(name);
    const bytes = readNow(name, url);
    const expected = MANIFEST.files[name]!;
    const found = sha256Now(bytes);
    if (found !== expected.sha256) throw damaged(name, `SHA-256 ${expected.sha256}`, found);
    return new WebAssembly.Module(bytes);
  }

  private compiled(name: string): Promise<WebAssembly.Module> {
    return this.timed(name, async () => {
      const known = this.canLoadNow ? await this.checkedByBrowser(name) : undefined;
      if (known) return known;
      const { bytes, streamed } = await this.checkedBody(name, true);
      try {
        return (await streamed) ?? (await WebAssembly.compile(bytes));
      } catch (error) {
        throw new PurestepError(
          "bundle_damaged",
          `${name} is what it should be, but this host cannot compile it: ${String(error)}`,
        );
      }
    });
  }

  /**
   * Compiles a file that the browser itself compares with its hash, so that its bytes are never copied to JavaScript.
   *
   * Gives undefined for whatever goes wrong: a browser does not say what, so the file is read again to find out.
   */
  private async checkedByBrowser(name: string): Promise<WebAssembly.Module | undefined> {
    const { bytes, sha256: expected } = MANIFEST.files[name]!;
    const digest = expected.match(/../g)!.map((pair) => Number.parseInt(pair, 16));
    const integrity = `sha256-${btoa(String.fromCharCode(...digest))}`;
    try {
      const answer = await fetch(this.urlOf(name), { integrity, credentials: "same-origin" });
      const type = answer.headers.get("content-type") ?? "";
      const module = await (type.startsWith("application/wasm")
        ? WebAssembly.compileStreaming(answer)
        : WebAssembly.compile(await answer.arrayBuffer()));
      this.progress.add(name, bytes);
      return module;
    } catch {
      return undefined;
    }
  }

  /** Gives the function that a script exports; its source text is hashed, so that the file is read once. */
  async script(name: string): Promise<ScriptFunction> {
    return this.timed(name, async () => {
      const url = this.urlOf(name);
      const script = await this.checkedScript(name, url).catch(() => this.scriptAgain(name, url));
      this.progress.add(name, MANIFEST.files[name]!.bytes);
      return script;
    });
  }

  /** A cache may hold an older version, and a module is imported once per address: another address avoids both. */
  private async scriptAgain(name: string, url: URL): Promise<ScriptFunction> {
    const fresh = new URL(url);
    fresh.searchParams.set("sha256", MANIFEST.files[name]!.sha256);
    try {
      return await this.checkedScript(name, fresh);
    } catch (error) {
      await this.checkedBody(name); // hosts do not say why an import failed: the file's hash shows it
      if (error instanceof PurestepError) throw error;
      throw new PurestepError(
        "bundle_missing",
        `${name} is what it should be, but this host does not import it: ${String(error)}`,
      );
    }
  }

  private async checkedScript(name: string, url: URL): Promise<ScriptFunction> {
    const { default: exported, mark } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ url.href)) as {
      default: ScriptFunction;
      mark?: string;
    };
    const found = await sha256(new TextEncoder().encode(exported.toString()));
    const expected = MANIFEST.scripts[name];
    if (found === expected || (mark === expected && (this.isCopied(name, url) || (await this.isWhole(name))))) {
      return exported;
    }
    throw damaged(name, `source text ${expected}`, found);
  }

  /** Tells whether the file itself is what it should be: some hosts, such as Bun, rewrite the text of what they import. */
  private isWhole(name: string): Promise<boolean> {
    return this.checkedBody(name).then(
      () => true,
      () => false,
    );
  }

  /** Tells whether a bundler copied the file and gave it a name of its own: some of them minify scripts that they copy. */
  private isCopied(name: string, url: URL): boolean {
    return this.bundleURL === undefined && !url.pathname.endsWith(`/bundle/${name}`);
  }

  private async checkedBody(name: string, compile = false): Promise<Body> {
    try {
      return await this.checked(name, await this.received(name, compile));
    } catch (error) {
      // A cache may hold an older version: request the file once more without caches.
      if (this.read || !(error instanceof PurestepError) || error.code !== "bundle_damaged") throw error;
      return await this.checked(name, await this.received(name, compile, "reload"));
    }
  }

  private async checked(name: string, body: Body): Promise<Body> {
    const { bytes, sha256: expected } = MANIFEST.files[name]!;
    if (body.bytes.length !== bytes) throw damaged(name, `${bytes} bytes`, `${body.bytes.length}`);
    const found = await sha256(body.bytes);
    if (found !== expected) throw damaged(name, `SHA-256 ${expected}`, found);
    return body;
  }

  private async received(name: string, compile: boolean, cache: RequestCache = "default"): Promise<Body> {
    const url = this.urlOf(name);
    let answer: Response | Uint8Array;
    try {
      answer = await (this.read ? this.read(name, url) : defaultRead(url, cache));
    } catch (error) {
      throw new PurestepError("bundle_missing", `expected ${name} at ${url.href}; ${unanswered(error)}`);
    }
    if (!(answer instanceof Response)) {
      this.progress.add(name, answer.length);
      // Only a view of plain memory can be hashed and compiled; a reader may give one of shared memory.
      return {
        bytes: answer.buffer instanceof ArrayBuffer ? (answer as Uint8Array<ArrayBuffer>) : new Uint8Array(answer),
      };
    }
    if (!answer.ok) {
      throw new PurestepError(
        "bundle_missing",
        `expected ${name} at ${url.href}; the server answered ${answer.status}. ${adviceFor(url)}`,
      );
    }
    return this.drained(name, answer, compile);
  }

  private async drained(name: string, answer: Response, compile: boolean): Promise<Body> {
    const type = answer.headers.get("content-type") ?? "";
    const streamed =
      compile && type.startsWith("application/wasm") ? WebAssembly.compileStreaming(answer.clone()) : undefined;
    streamed?.catch(() => undefined); // reported where it is awaited; a damaged file is reported by its hash
    const bytes = new Uint8Array(MANIFEST.files[name]!.bytes);
    let length = 0;
    try {
      for await (const chunk of chunksOf(answer)) {
        // A longer file is damaged; only its length is kept, for the message.
        if (length + chunk.length <= bytes.length) bytes.set(chunk, length);
        length += chunk.length;
        this.progress.add(name, chunk.length);
      }
    } catch (error) {
      throw damaged(name, `${bytes.length} bytes`, `${length}, then ${String(error)}`);
    }
    if (length > bytes.length) throw damaged(name, `${bytes.length} bytes`, `${length}`);
    return { bytes: bytes.subarray(0, length), streamed };
  }

  private urlOf(name: string): URL {
    if (this.bundleURL !== undefined) return new URL(name, withSlash(this.bundleURL));
    try {
      return (URLS[name] ?? (() => new URL(name, URLS[SHARED]!())))();
    } catch {
      throw new PurestepError("bundle_missing", `expected the address of ${name} beside this module; ${MOVED}`);
    }
  }

  /** Whether the files of a form can be there: a bundler copies those of the first alone, under names of its own. */
  has(tier: Tier): boolean {
    if (this.bundleURL !== undefined || this.read || namesOf(tier).every((name) => name in URLS)) return true;
    return this.urlOf(SHARED).pathname.endsWith(`/bundle/${SHARED}`);
  }

  /** The addresses of all files. */
  addresses(): string[] {
    return Object.keys(MANIFEST.files).map((name) => this.urlOf(name).href);
  }

  private async timed<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const started = performance.now();
    const value = await work();
    this.parts.push({ name, bytes: MANIFEST.files[name]!.bytes, ms: performance.now() - started });
    return value;
  }
}

/** The names of the files that a tier needs. */
export function namesOf(tier: Tier): string[] {
  return Object.keys(MANIFEST.files).filter((name) => MANIFEST.files[name]!.tiers.includes(tier));
}

/** A file of both forms, beside which those of the second lie. */
const SHARED = "msgspec.wasm";

interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  streamed?: Promise<WebAssembly.Module> | undefined;
}

const ADVICE = "Serve the whole folder dist/bundle of this very version, and give its address as bundleURL if it moved";

const MOVED =
  "a bundler moved it to where a server has no address: give its folder as bundleURL, or load the core in the page only";

/** What a request without an answer says: where there is no network, the files need not be missing. */
function unanswered(error: unknown): string {
  const isOffline = globalThis.navigator?.onLine === false;
  return isOffline ? "this machine is offline. Go online and load it again" : `${String(error)}. ${ADVICE}`;
}

/** Vite's development server has this path for files outside of a project, and refuses those of a package that npm linked. */
function adviceFor(url: URL): string {
  return url.pathname.startsWith("/@fs/")
    ? "The package lies outside of the project: install it with npm install --install-links, or allow its folder in server.fs.allow"
    : ADVICE;
}

function damaged(name: string, expected: string, came: string): PurestepError {
  return new PurestepError("bundle_damaged", `expected ${name} with ${expected}; got ${came}. ${ADVICE}`);
}

function readNow(name: string, url: URL): Uint8Array<ArrayBuffer> {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  // In a page no synchronous request may ask for a buffer; this charset keeps every byte in the low half of a character.
  request.overrideMimeType("text/plain; charset=x-user-defined");
  try {
    request.send();
  } catch (error) {
    throw new PurestepError("bundle_missing", `expected ${name} at ${url.href}; ${unanswered(error)}`);
  }
  if (request.status < 200 || request.status > 299) {
    const answered = `the server answered ${request.status}`;
    throw new PurestepError("bundle_missing", `expected ${name} at ${url.href}; ${answered}. ${adviceFor(url)}`);
  }
  return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255);
}

async function* chunksOf(answer: Response): AsyncGenerator<Uint8Array> {
  if (!answer.body) return;
  const reader = answer.body.getReader(); // Safari cannot yet iterate over a stream
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function withSlash(folder: string | URL): URL {
  const text = typeof folder === "string" ? folder : folder.href;
  // A page may name the folder relative to itself.
  return new URL(text.endsWith("/") ? text : `${text}/`, globalThis.location?.href ?? "file:///");
}
