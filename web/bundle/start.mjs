// Starts interpreters from parts in memory, as the loader starts them from files.
import { startInterpreter } from "../dist/core/interpreter.js";
import { SIDE_MODULES } from "../dist/core/side_modules.js";
import { makeSnapshot } from "./make_snapshot.mjs";

/** Starts an interpreter with a library; `files` holds the scripts and modules by their names in the bundle. */
export async function startWith(files, library) {
  const createModule = await exportOf(files["pyodide.asm.mjs"]);
  const main = await WebAssembly.compile(files["pyodide.asm.wasm"]);
  return startInterpreter({ createModule, main, sideModules: await sideModulesOf(files), library });
}

/** Makes the snapshot for the trimmed script and module, which is split in two; gives files by their names in the bundle. */
export async function snapshotWith(files, whole, library) {
  const createModule = await exportOf(files["core.mjs"]);
  const made = await makeSnapshot({ createModule, sideModules: await sideModulesOf(files) }, whole, library);
  return { "core.wasm": made.first, "core_rest.wasm": made.rest, "core.snapshot": made.snapshot };
}

async function exportOf(script) {
  return (await import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`)).default;
}

async function sideModulesOf(files) {
  const compile = async ([name, path]) => ({ path, module: await WebAssembly.compile(files[name]) });
  return Promise.all(Object.entries(SIDE_MODULES).map(compile));
}
