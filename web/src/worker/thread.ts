/** The worker's side: loads a core and runs its functions, one message each. */
import type { AgentCore } from "../core/core.js";
import { createAgentCore } from "../core/core.js";
import type { DialectFunctions } from "../core/dialects.js";
import { PurestepError } from "../errors.js";
import type { FromWorker, LoadOptions, ErrorData, ToWorker } from "./messages.js";

let core: AgentCore | undefined;

globalThis.addEventListener("message", (event: Event): void => {
  const message = (event as MessageEvent<ToWorker>).data;
  if (message.type === "load") void load(message.options);
  else run(message);
});

async function load({ dialects = [], ...options }: LoadOptions): Promise<void> {
  try {
    const [loaded, ...modules] = await Promise.all([
      createAgentCore({ ...options, onProgress: (progress) => send({ type: "progress", progress }) }),
      ...dialects.map(dialectAt),
    ]);
    for (const dialect of modules) loaded.registerDialect(dialect);
    core = loaded;
    send({ type: "loaded", report: core.report });
  } catch (error) {
    send({ type: "not_loaded", error: errorData(error) });
  }
}

async function dialectAt(address: string): Promise<DialectFunctions> {
  const module = (await import(/* @vite-ignore */ /* webpackIgnore: true */ address)) as { default?: DialectFunctions };
  if (typeof module.default === "object") return module.default;
  throw new PurestepError("invalid_input", `expected ${address} to have a dialect as its default export`, "/dialects");
}

function run({ id, name, args }: ToWorker & { type: "call" }): void {
  try {
    const call = core![name] as (...args: (string | null)[]) => string;
    send({ type: "result", id, output: call(...args) });
  } catch (error) {
    send({ type: "failed", id, error: errorData(error) });
  }
}

function errorData(error: unknown): ErrorData {
  if (error instanceof PurestepError) return { code: error.code, message: error.message, path: error.path };
  return { code: "core_failed", message: String(error), path: "" };
}

function send(message: FromWorker): void {
  // A worker's postMessage takes the message alone; the library of types only knows a window's.
  (globalThis as unknown as { postMessage(message: FromWorker): void }).postMessage(message);
}
