// The shape of dist/workerd/workerd_parts.js, which `node web/bundle_workerd/build.mjs` writes: the parts of the bundle as modules.
import type { Tier } from "../../core/bundle_manifest.js";
import type { InterpreterParts } from "../../core/interpreter.js";

export const TIER: Tier;
export const VERSIONS: Record<string, string>;

/** What `core_info` has to give. */
export const CORE_INFO: string;

/** The parts that start the interpreter; a snapshot stays as the bytes of its file. */
export const PARTS: Omit<InterpreterParts, "snapshot" | "rest">;
/** What the main module was split from, in the snapshot form. */
export const REST: WebAssembly.Module | undefined;
export const SNAPSHOT: Uint8Array | undefined;

/** The modules that the interpreter compiles while it runs, by their bytes in hexadecimal. */
export const COMPILED: ReadonlyMap<string, WebAssembly.Module>;
