/** The worker's side: loads a core and runs its functions, one message each. */
import type { AgentCore } from "../core/core.js";
import { createAgentCore } from "../core/core.js";
import { PurestepError } from "../errors.js";
import type { FromWorker, LoadOptions, ErrorData, ToWorker } from "./messages.js";

let core: AgentCore | undefined;

globalThis.addEventListener("message", (event: Event): void => {
  const message = (event as MessageEvent<ToWorker>).data;
  if (message.type === "load") void load(message.options);
  else run(message);
});

async function load(options: LoadOptions): Promise<void> {
  try {
    core = await createAgentCore({ ...options, onProgress: (progress) => send({ type: "progress", progress }) });
    send({ type: "loaded", report: core.report });
  } catch (error) {
    send({ type: "not_loaded", error: errorData(error) });
  }
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
