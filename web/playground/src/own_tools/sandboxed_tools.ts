/** The tools of a code in a sandbox: what they are, and their calls, each with an end. */
import type { Tool } from "../../../src/agent/ports.js";
import type { ToolSpec } from "../../../src/generated/wire.js";
import { parseVerbatim } from "../../../src/exact_numbers.js";
import { toolOfSpec, ToolFailure } from "../../../src/tools/tool.js";
import type { FromSandbox, Outcome, ToSandbox } from "./messages.js";

/** Of one call, with what it waits for. */
const CALL_LIMIT_MS = 30_000;
/** Of what stands outside of the tools; with the interpreter itself, which may have to be fetched. */
const LOAD_LIMIT_MS = 30_000;
/** Of a call that was under way when another one, or its user, ended the sandbox. */
const ENDED = {
  kind: "outcome",
  isOk: false,
  text: "its sandbox was ended while it ran",
  errorKind: "interrupted",
  printed: [],
} as const;
/** More do not fit a prompt. */
const MAX_TOOLS = 16;

/** As every provider takes them. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The code cannot be used; `line` is where, if it is known. */
export class CodeRefused extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** The code may write there what it wants. */
function isListed(specs: unknown): specs is ToolSpec[] {
  return Array.isArray(specs) && specs.every((each) => typeof (each as { name?: unknown } | null)?.name === "string");
}

type Loaded = Extract<FromSandbox, { kind: "loaded" }>;

/** One code in its sandbox. */
export class SandboxedTools {
  readonly #source: string;
  readonly #hosts: readonly string[];
  readonly #onPrinted: (lines: readonly string[]) => void;
  #worker: Worker | undefined;
  #loaded: Promise<Loaded> | undefined;
  #calls = new Map<number, (outcome: Outcome) => void>();
  #last = 0;
  #end: (why: CodeRefused) => void = () => undefined;

  constructor(source: string, hosts: readonly string[], onPrinted: (lines: readonly string[]) => void) {
    [this.#source, this.#hosts, this.#onPrinted] = [source, hosts, onPrinted];
  }

  /** Gives the tools; throws CodeRefused. */
  async tools(): Promise<Tool[]> {
    const { tools } = await this.#load();
    const specs: unknown = JSON.parse(tools);
    if (!isListed(specs)) throw new CodeRefused("its tools cannot be read: it has changed what JSON gives");
    if (specs.length === 0) throw new CodeRefused("it makes no tool: call tool({ name, parameters, execute }) in it");
    if (specs.length > MAX_TOOLS)
      throw new CodeRefused(`it makes ${specs.length} tools; at most ${MAX_TOOLS} are taken`);
    const unfit = specs.find(({ name }) => !NAME.test(name));
    if (unfit)
      throw new CodeRefused(`a tool's name has up to 64 letters, digits, _ and -; got ${JSON.stringify(unfit.name)}`);
    return specs.map((spec) => this.#toolOf(spec));
  }

  /** Ends the code, with all that it kept in memory. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#loaded = undefined;
    this.#end(new CodeRefused("it was ended"));
    for (const [id, settle] of this.#calls) settle({ ...ENDED, id });
    this.#calls.clear();
  }

  #toolOf(spec: ToolSpec): Tool {
    // What it is told of the world was written by whoever answers there.
    const open = this.#hosts.length > 0 ? { labels: [...new Set([...(spec.labels ?? []), "open"])] } : {};
    return toolOfSpec(
      { ...spec, ...open },
      (_params, { key, params_json }: { key: string; params_json?: string }, signal) => {
        signal.addEventListener("abort", () => this.close(), { once: true });
        return this.#call(spec.name, params_json ?? JSON.stringify(_params), key);
      },
      CALL_LIMIT_MS,
    );
  }

  async #call(name: string, params: string, key: string): Promise<unknown> {
    await this.#load();
    const id = ++this.#last;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#calls.set(id, resolve);
      this.#post({ kind: "call", id, name, params, key });
    });
    this.#onPrinted(outcome.printed);
    if (!outcome.isOk) throw new ToolFailure(outcome.text, outcome.errorKind);
    return outcome.text === "" ? undefined : parseVerbatim(outcome.text);
  }

  #load(): Promise<Loaded> {
    return (this.#loaded ??= this.#start());
  }

  #start(): Promise<Loaded> {
    const worker = new Worker(new URL("./sandbox.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    const loaded = new Promise<Loaded>((resolve, reject) => {
      this.#end = reject;
      worker.onerror = () => reject(new CodeRefused("the sandbox could not be started; reload the page"));
      worker.onmessage = ({ data }: MessageEvent<FromSandbox>) => {
        if (data.kind === "outcome") this.#settle(data);
        else if (data.kind === "loaded") resolve(data);
        else reject(new CodeRefused(data.words, data.line));
      };
      setTimeout(() => reject(new CodeRefused("it was not ready within 30 seconds, and was ended")), LOAD_LIMIT_MS);
    });
    loaded.then(
      ({ printed }) => this.#onPrinted(printed),
      () => worker.terminate(),
    );
    this.#post({ kind: "load", source: this.#source, hosts: this.#hosts });
    return loaded;
  }

  #settle(outcome: Outcome): void {
    this.#calls.get(outcome.id)?.(outcome);
    this.#calls.delete(outcome.id);
  }

  #post(message: ToSandbox): void {
    this.#worker?.postMessage(message);
  }
}
