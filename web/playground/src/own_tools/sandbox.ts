/**
 * A sandbox: an interpreter of JavaScript compiled to WebAssembly, in a worker that runs the code of one tool in it.
 *
 * The code has its interpreter's memory and the functions of `Host`, and nothing of the browser: no page, no storage, no
 * network but by `answered`. So the page's policy needs no opening for it, and evaluates no text itself.
 */
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import wasm from "@jitl/quickjs-ng-wasmfile-release-sync/wasm?url";
import { newQuickJSWASMModuleFromVariant, newVariant } from "quickjs-emscripten-core";
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten-core";
import inside from "virtual:sandbox-code";
import type { ErrorKind } from "../../../src/tools/tool.js";
import { answered, told } from "./asked_page.js";
import type { FromSandbox, ToSandbox } from "./messages.js";

/** Far more than any tool needs, and little of what a tab has. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
/** The interpreter's own recursion ends before that of WebAssembly does. */
const MAX_STACK_BYTES = 256 * 1024;
/** Without a pause: an endless loop ends after it. */
const MAX_BUSY_MS = 3000;
/** As much as the result of any tool may have. */
const MAX_OUTPUT_CHARS = 1_000_000;
/** Of an error, which a model reads. */
const MAX_ERROR_CHARS = 2000;
const MAX_LINES = 50;
const MAX_LINE_CHARS = 500;
/** Of a timer: the time of a call is over before. */
const MAX_WAIT_MS = 60_000;
const FILE = "own_tool.js";
/** Where a line of the code is named in a stack. */
const LINE = /own_tool\.js:(\d+)/;

const MODULES: Readonly<Record<string, string>> = {
  inside,
  zod: 'export * from "inside"; export { z as default } from "inside";',
  "zod/v4": 'export * from "inside"; export { z as default } from "inside";',
  purestep: 'export { tool, ToolFailure, jsonSchemaOf } from "inside";',
};

const scope = self as unknown as { postMessage(message: FromSandbox): void; onmessage: unknown };
let hosts: readonly string[] = [];
let end = 0;
let printed: string[] = [];
let vm: QuickJSContext;
let runtime: QuickJSRuntime;
let boot: QuickJSHandle;
const calls = new Set<number>();

async function start(): Promise<void> {
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmLocation: wasm }));
  runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(MAX_MEMORY_BYTES);
  runtime.setMaxStackSize(MAX_STACK_BYTES);
  runtime.setInterruptHandler(() => Date.now() > end);
  runtime.setModuleLoader(moduleText, (_base, name) => name);
  vm = runtime.newContext();
  giveHost();
  boot = exportsOf('export * from "inside";', "boot.js", Infinity);
}

function moduleText(name: string): string | { error: Error } {
  if (Object.hasOwn(MODULES, name)) return MODULES[name]!;
  return { error: new Error(`there is no module ${JSON.stringify(name)} here; there are "zod" and "purestep"`) };
}

function giveHost(): void {
  const host = vm.newObject();
  const give = (name: string, work: (...given: QuickJSHandle[]) => QuickJSHandle | undefined | void): void =>
    vm.newFunction(name, work).consume((made) => vm.setProp(host, name, made));
  give("settle", (id, isOk, text, kind) =>
    settle(vm.getNumber(id!), vm.dump(isOk!) === true, vm.getString(text!), vm.getString(kind!)),
  );
  give("print", (line) => print(vm.getString(line!)));
  give("wait", (id, ms) => wait(vm.getNumber(id!), vm.getNumber(ms!)));
  give("ask", (id, request) => void ask(vm.getNumber(id!), vm.getString(request!)));
  give("tell", (what, question) => vm.newString(told(vm.getString(what!), vm.getString(question!))));
  vm.setProp(vm.global, "host", host);
  host.dispose();
}

/** What the code threw, or why it was ended. */
class CodeError extends Error {
  constructor(
    message: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

function codeError(thrown: QuickJSHandle): CodeError {
  const dumped = vm.dump(thrown) as Thrown | string | null;
  if (typeof dumped !== "object" || dumped === null)
    return new CodeError(`it threw ${JSON.stringify(dumped)}`, undefined);
  const { name = "Error", message = "", stack = "" } = dumped;
  const line = LINE.exec(String(stack))?.[1];
  return new CodeError(wordsFor(String(name), String(message)), line === undefined ? undefined : Number(line));
}

function wordsFor(name: string, message: string): string {
  if (name !== "InternalError") return `${name}: ${message}`;
  if (message === "interrupted") return `it ran for ${MAX_BUSY_MS / 1000} seconds without a pause, and was ended`;
  if (message === "out of memory") return `it wanted more than ${MAX_MEMORY_BYTES / 1024 / 1024} MB of memory`;
  return message;
}

/**
 * Gives what the work in the interpreter gives, after all that it leaves to do; throws CodeError.
 *
 * `maxBusyMs` is for code of people. The sandbox's own takes as long as the machine needs, and the page ends it.
 */
function entered<Result>(
  work: () => ReturnType<QuickJSContext["evalCode"]>,
  read: (found: QuickJSHandle) => Result,
  maxBusyMs = MAX_BUSY_MS,
): Result {
  end = Date.now() + maxBusyMs;
  const done = work();
  if (done.error) throw done.error.consume(codeError);
  const left = runtime.executePendingJobs();
  if (left.error) throw left.error.consume(codeError);
  return read(done.value);
}

function exportsOf(code: string, file: string, maxBusyMs?: number): QuickJSHandle {
  return entered(
    () => vm.evalCode(code, file, { type: "module" }),
    (found) => {
      const state = vm.getPromiseState(found);
      if (state.type === "fulfilled") return state.value;
      if (state.type === "rejected") throw codeError(state.error);
      throw new CodeError("it waits for something before it is ready; wait inside of `execute`", undefined);
    },
    maxBusyMs,
  );
}

/** Calls a function of `inside`. */
function inner(name: string, ...given: readonly QuickJSHandle[]): QuickJSHandle {
  return entered(
    () => vm.callFunction(vm.getProp(boot, name), vm.undefined, ...given),
    (found) => found,
  );
}

function settle(id: number, isOk: boolean, text: string, kind: string): void {
  if (!calls.delete(id)) return;
  const isTooLong = isOk && text.length > MAX_OUTPUT_CHARS;
  const error = isTooLong
    ? `it ran; its output has ${text.length} characters, at most ${MAX_OUTPUT_CHARS} are taken`
    : text;
  post({
    kind: "outcome",
    id,
    isOk: isOk && !isTooLong,
    text: isOk && !isTooLong ? text : error.slice(0, MAX_ERROR_CHARS),
    errorKind: KINDS.find((each) => each === kind) ?? "execution",
    printed: taken(),
  });
}

const KINDS: readonly ErrorKind[] = ["invalid_arguments", "execution", "io", "interrupted"];

function print(line: string): void {
  if (printed.length < MAX_LINES) printed.push(line.slice(0, MAX_LINE_CHARS));
}

function taken(): string[] {
  const lines = printed;
  printed = [];
  return lines;
}

function wait(id: number, ms: number): void {
  setTimeout(() => arrived(id, ""), Math.min(Math.max(ms || 0, 0), MAX_WAIT_MS));
}

async function ask(id: number, request: string): Promise<void> {
  arrived(id, await answered(request, hosts));
}

/** What the code waited for is there. Where it cannot go on, its calls have ended. */
function arrived(id: number, answer: string): void {
  try {
    inner("arrived", vm.newNumber(id), vm.newString(answer)).dispose();
  } catch (error) {
    failAll(error);
  }
}

function failAll(error: unknown): void {
  for (const id of [...calls]) settle(id, false, wordsOf(error), "execution");
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function load(source: string): void {
  const found = inner("listed", exportsOf(source, FILE));
  post({ kind: "loaded", tools: vm.getString(found), printed: taken() });
}

function call(id: number, ...given: readonly string[]): void {
  calls.add(id);
  try {
    inner("call", vm.newNumber(id), ...given.map((each) => vm.newString(each))).dispose();
  } catch (error) {
    failAll(error);
  }
}

const post = (message: FromSandbox): void => scope.postMessage(message);
const ready = start();

scope.onmessage = async ({ data }: MessageEvent<ToSandbox>) => {
  try {
    await ready;
    if (data.kind === "call") return call(data.id, data.name, data.params, data.key);
    hosts = data.hosts;
    load(data.source);
  } catch (error) {
    post({ kind: "refused", words: wordsOf(error), line: error instanceof CodeError ? error.line : undefined });
  }
};
