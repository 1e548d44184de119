/**
 * The files of the bundle: read in parallel, each compared with the manifest that the package carries.
 *
 * A file that differs from the manifest is never used: a mix of old and new files could compute wrong results.
 */
import { PurestepError } from "../errors.js";
import type { SentFile, Tier } from "./bundle_manifest.js";
import { MANIFEST, URLS } from "./bundle_manifest.js";
import { defaultRead } from "./default_read.js";
import type { BundleProgress } from "./progress.js";
import type { ByteStream, SentForm } from "./sent_form.js";
import { canUnpack, contentOf, PACKED, sentForm } from "./sent_form.js";
import { sha256, sha256Now } from "./sha256.js";

export type ReadFile = (name: string, url: URL) => Promise<Response | Uint8Array>;

/** A file read: its name, its size, and the milliseconds it took from the start of the read to the checked hash. */
export interface ReadPart {
  name: string;
  bytes: number;
  ms: number;
  /** Whether its compressed copy was read, since the host compresses nothing. */
  isPacked: boolean;
}

/** The exported function of a script. */
export type ScriptFunction = (settings: never) => Promise<unknown>;

export class BundleFiles {
  readonly parts: ReadPart[] = [];
  /** Modules that both forms use are read and compiled once. */
  private readonly modules = new Map<string, Promise<WebAssembly.Module>>();
  private form: Promise<SentForm> | undefined;
  private readonly packed = new Set<string>();

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
      const isPlain = this.canLoadNow && !(await this.form)?.isPacked;
      const known = isPlain ? await this.checkedByBrowser(name) : undefined;
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
    const { bytes, sha256: expected } = body.file;
    if (body.length !== bytes) throw damaged(body.name, `${bytes} bytes`, `${body.length}`);
    const found = await sha256(body.sent);
    if (found !== expected) throw damaged(body.name, `SHA-256 ${expected}`, found);
    if (body.name !== name) this.packed.add(name);
    return body;
  }

  /** Finds out in which form this host sends the files of the snapshot, by the largest of them. */
  chooseForm(): void {
    const { bytes, packed } = MANIFEST.files[LARGEST]!;
    const url = this.urlOf(LARGEST);
    if (!this.read && packed && canUnpack(url)) this.form ??= sentForm(url, this.urlOf(LARGEST + PACKED), bytes);
  }

  private async received(name: string, compile: boolean, cache: RequestCache = "default"): Promise<Body> {
    const form = MANIFEST.files[name]!.packed && (await this.form);
    // The answer that showed the form is the largest file's, to be read once.
    const shown = name === LARGEST && !form?.answer?.bodyUsed ? form?.answer : undefined;
    if (form?.isPacked) {
      const answer = shown ?? (await this.answer(name + PACKED, cache).catch(() => undefined));
      if (answer instanceof Response && answer.ok && answer.body) return this.unpacked(name, answer.body, compile);
    }
    return this.plain(name, (form?.isPacked ? undefined : shown) ?? (await this.answer(name, cache)), compile);
  }

  private async answer(name: string, cache: RequestCache): Promise<Response | Uint8Array> {
    const url = this.urlOf(name);
    try {
      return await (this.read ? this.read(name, url) : defaultRead(url, cache));
    } catch (error) {
      throw new PurestepError("bundle_missing", `expected ${name} at ${url.href}; ${unanswered(error)}`);
    }
  }

  private async plain(name: string, answer: Response | Uint8Array, compile: boolean): Promise<Body> {
    const file = MANIFEST.files[name]!;
    if (!(answer instanceof Response)) {
      this.progress.add(name, answer.length);
      // Only a view of plain memory can be hashed and compiled; a reader may give one of shared memory.
      const bytes = answer.buffer instanceof ArrayBuffer ? (answer as Uint8Array<ArrayBuffer>) : new Uint8Array(answer);
      return { name, file, bytes, sent: bytes, length: bytes.length };
    }
    if (!answer.ok) {
      const url = this.urlOf(name);
      const answered = `the server answered ${answer.status}`;
      throw new PurestepError("bundle_missing", `expected ${name} at ${url.href}; ${answered}. ${adviceFor(url)}`);
    }
    const streamed = compile && isWasm(answer) ? compiledAside(answer.clone()) : undefined;
    return { ...(await this.drained(name, answer.body)), streamed };
  }

  /** Unpacks a compressed copy while it comes. Its hash is that of what was sent, which is a fourth of the bytes. */
  private async unpacked(name: string, body: ByteStream, compile: boolean): Promise<Body> {
    const file = MANIFEST.files[name]!.packed!;
    const sent = new Filled(file.bytes);
    const { content, isPacked } = await contentOf(body, (piece) => sent.add(piece));
    if (!isPacked) return this.drained(name, content); // a host that says how it is compressed has it unpacked by the browser
    const reading = compile ? this.unpackedModule(name, content) : this.drained(name, content);
    const read = await reading.catch((error: unknown) => {
      const came = `${sent.length}, then ${String(error)}`;
      throw damaged(name + PACKED, `${file.bytes} bytes that can be unpacked`, came);
    });
    return { ...read, name: name + PACKED, file, sent: sent.bytes, length: sent.length };
  }

  private async unpackedModule(name: string, content: ByteStream): Promise<Content> {
    const [compiled, kept] = content.tee();
    const streamed = compiledAside(new Response(compiled, { headers: { "Content-Type": "application/wasm" } }));
    return { ...(await this.drained(name, kept)), streamed };
  }

  private async drained(name: string, content: ByteStream | null): Promise<Body> {
    const file = MANIFEST.files[name]!;
    const whole = new Filled(file.bytes);
    try {
      for await (const piece of piecesOf(content)) {
        whole.add(piece);
        this.progress.add(name, piece.length);
      }
    } catch (error) {
      throw damaged(name, `${file.bytes} bytes`, `${whole.length}, then ${String(error)}`);
    }
    return { name, file, bytes: whole.bytes, sent: whole.bytes, length: whole.length };
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
    const { bytes } = MANIFEST.files[name]!;
    this.parts.push({ name, bytes, ms: performance.now() - started, isPacked: this.packed.has(name) });
    return value;
  }
}

/** The names of the files that a tier needs. */
export function namesOf(tier: Tier): string[] {
  return Object.keys(MANIFEST.files).filter((name) => MANIFEST.files[name]!.tiers.includes(tier));
}

/** A file of both forms, beside which those of the second lie. */
const SHARED = "msgspec.wasm";

/** The file by whose answer a host shows what it compresses. */
const LARGEST = "core.snapshot";

interface Content {
  /** Empty where it is compiled as it comes. */
  bytes: Uint8Array<ArrayBuffer>;
  streamed?: Promise<WebAssembly.Module> | undefined;
}

interface Body extends Content {
  /** What was sent: the content, or a compressed copy. */
  name: string;
  file: SentFile;
  sent: Uint8Array<ArrayBuffer>;
  length: number;
}

/** Memory of a known size that is filled piece by piece; of more than that only the length is kept, for the message. */
class Filled {
  length = 0;
  private readonly memory: Uint8Array<ArrayBuffer>;

  constructor(size: number) {
    this.memory = new Uint8Array(size);
  }

  add(piece: Uint8Array): void {
    if (this.length + piece.length <= this.memory.length) this.memory.set(piece, this.length);
    this.length += piece.length;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.memory.subarray(0, this.length);
  }
}

function isWasm(answer: Response): boolean {
  return (answer.headers.get("content-type") ?? "").startsWith("application/wasm");
}

function compiledAside(answer: Response): Promise<WebAssembly.Module> {
  const compiled = WebAssembly.compileStreaming(answer);
  compiled.catch(() => undefined); // reported where it is awaited; a damaged file is reported by its hash
  return compiled;
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

async function* piecesOf(stream: ByteStream | null): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader(); // Safari cannot yet iterate over a stream
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function withSlash(folder: string | URL): URL {
  const text = typeof folder === "string" ? folder : folder.href;
  // A page may name the folder relative to itself.
  return new URL(text.endsWith("/") ? text : `${text}/`, globalThis.location?.href ?? "file:///");
}
