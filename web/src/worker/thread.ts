/** The worker's side: loads a core and runs its functions, one message each. */
import type { AgentCore } from "../core/core.js";
import { createAgentCore } from "../core/core.js";
import { PurestepError } from "../errors.js";
import { dialectAt } from "./dialect_at.js";
import type { FromWorker, LoadOptions, ErrorData, ToWorker } from "./messages.js";

let core: AgentCore | undefined;

globalThis.addEventListener("message", (event: Event): void => {
  const message = (event as MessageEvent<ToWorker>).data;
  if (message.type === "load") {
    hold(message.lock);
    void load(message.options);
  } else run(message);
});

/** A worker that is ended tells nobody, but its locks are free then; where there are none, only its errors tell. */
function hold(lock: string): void {
  const held = (): Promise<never> => {
    send({ type: "held" });
    return new Promise(() => undefined);
  };
  globalThis.navigator?.locks?.request(lock, held).catch(() => undefined);
}

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
    send({ type: "not_loaded", error: errorData(error, "core_failed") });
  }
}

function run({ id, name, args }: ToWorker & { type: "call" }): void {
  try {
    const call = core![name] as (...args: (string | null)[]) => string;
    send({ type: "result", id, output: call(...args) });
  } catch (error) {
    // Python's own errors leave it whole; whatever else comes out of it has passed through its frames.
    const isWhole = error instanceof Error && error.name === "PythonError";
    if (isWhole) send({ type: "failed", id, error: errorData(error, "core_failed") });
    else send({ type: "lost", error: errorData(error, "worker_failed") });
  }
}

function errorData(error: unknown, code: string): ErrorData {
  if (error instanceof PurestepError) return { code: error.code, message: error.message, path: error.path };
  return { code, message: String(error), path: "" };
}

function send(message: FromWorker): void {
  // A worker's postMessage takes the message alone; the library of types only knows a window's.
  (globalThis as unknown as { postMessage(message: FromWorker): void }).postMessage(message);
}
