/**
 * The core in workerd, which compiles no WebAssembly at run time and has no randomness, clock or network while it starts.
 *
 * So every module that the interpreter would compile is recorded when the worker is built, and looked up by its bytes.
 */
import type { Calls } from "../../core/calls.js";
import { openCalls } from "../../core/calls.js";
import type { AgentCore } from "../../core/functions.js";
import { coreOf } from "../../core/functions.js";
import { startInterpreter } from "../../core/interpreter.js";
import { RestOfModule } from "../../core/rest.js";
import { readSnapshot } from "../../core/snapshot.js";
import { PurestepError } from "../../errors.js";
import { COMPILED, CORE_INFO, PARTS, REST, SNAPSHOT, TIER, VERSIONS } from "./workerd_parts.js";

/** Starts the core; to be called once, while the worker starts. */
export async function coreInWorkerd(): Promise<AgentCore> {
  useRecordedModules();
  const { call, register } = await withAllowedGlobals(started);
  const answer = call("core_info");
  if (answer !== CORE_INFO)
    throw new PurestepError("core_failed", `expected the core to answer ${CORE_INFO}; got ${answer}`);
  const report = { tier: TIER, fallback: null, noWorker: null, parts: [], totalMs: 0, versions: VERSIONS };
  return coreOf({ call, register, report });
}

async function started(): Promise<Calls> {
  const rest = REST && new RestOfModule(REST);
  const parts = SNAPSHOT ? { ...PARTS, rest, snapshot: readSnapshot(SNAPSHOT) } : PARTS;
  return openCalls(await startInterpreter(parts));
}

/** Makes `new WebAssembly.Module(bytes)` return the recorded module of these bytes. */
function useRecordedModules(): void {
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct: (_module, [bytes]: [Uint8Array | ArrayBuffer]) => {
      const key = hex(new Uint8Array(bytes as ArrayBuffer));
      const module = COMPILED.get(key);
      if (!module)
        throw new WebAssembly.CompileError(
          `no module of these ${key.length / 2} bytes was recorded; build the worker again`,
        );
      return module;
    },
  });
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Runs the work with replacements for the functions that workerd forbids while a worker starts.
 *
 * Zeros for random bytes: Python seeds generators with them that the core never draws from. No listener: the one that the
 * interpreter's script adds waits for messages that a page would send.
 */
async function withAllowedGlobals<Value>(work: () => Promise<Value>): Promise<Value> {
  const { getRandomValues } = crypto;
  const { addEventListener } = globalThis;
  crypto.getRandomValues = (array) => array;
  globalThis.addEventListener = () => undefined;
  try {
    return await work();
  } finally {
    crypto.getRandomValues = getRandomValues;
    globalThis.addEventListener = addEventListener;
  }
}
