// Starts interpreters from parts in memory, as the loader starts them from files.
import { startInterpreter } from "../dist/core/interpreter.js";
import { SIDE_MODULES } from "../dist/core/side_modules.js";
import { makeSnapshot } from "./make_snapshot.mjs";

/** Starts an interpreter with a library; `files` holds the scripts and modules by their names in the bundle. */
export async function startWith(files, library) {
  const createModule = await exportOf(files["pyodide.asm.mjs"]);
  return startInterpreter({ createModule, ...(await compiled(files, "pyodide.asm.wasm")), library });
}

/** Makes the snapshot for the trimmed script and module. */
export async function snapshotWith(files, library) {
  const createModule = await exportOf(files["core.mjs"]);
  return makeSnapshot({ createModule, ...(await compiled(files, "core.wasm")) }, library);
}

async function exportOf(script) {
  return (await import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`)).default;
}

async function compiled(files, mainName) {
  const compile = async ([name, path]) => ({ path, module: await WebAssembly.compile(files[name]) });
  const sideModules = await Promise.all(Object.entries(SIDE_MODULES).map(compile));
  return { main: await WebAssembly.compile(files[mainName]), sideModules };
}
