// The library of the zip tier: the modules that the core needs, compiled by the very Python that will run them.
import { join } from "node:path";
import { lockedWheels, pyodideFile, pythonFiles, ROOT, vectors, WEB } from "./inputs.mjs";
import { readZip, writeZip } from "./zip.mjs";

const LIBRARY = "/lib/python314.zip/";

/** Gives every module's source by its path in the library: ours take the place of Pyodide's own package. */
export function librarySources() {
  const wheels = lockedWheels();
  const standard = readZip(pyodideFile("python_stdlib.zip"));
  const sources = new Map([...standard].filter(([name]) => name.endsWith(".py") && !name.startsWith("pyodide/")));
  for (const [name, data] of wheels.msgspec.files) if (name.endsWith(".py")) sources.set(name, data);
  for (const [name, data] of pythonFiles(join(ROOT, "core"))) sources.set(name, data);
  for (const [name, data] of pythonFiles(join(ROOT, "hosts"), "purestep_tools")) sources.set(name, data);
  for (const [name, data] of pythonFiles(join(WEB, "bundle", "python"))) sources.set(name, data);
  return sources;
}

/** Gives the extension module under the name it has in the bundle. */
export function extensionModules() {
  const [, extension] = [...lockedWheels().msgspec.files].find(([path]) => path.endsWith(".so"));
  return { "msgspec.wasm": extension };
}

/** Gives the library as the bytes of a zip; `start` starts an interpreter with a library. */
export async function pythonZip(start, { sealed = false } = {}) {
  return (await exercised(start))(sealed);
}

/**
 * Gives what makes the library as the bytes of a zip: first the one of the zip form, then, `sealed`, the one that the
 * snapshot is made from.
 *
 * The core is started from sources and runs every vector, so that all it imports, early or late, is loaded; those
 * modules are compiled then.
 */
export async function exercised(start) {
  const sources = librarySources();
  const python = await start(writeZip(sources));
  const { exercise } = await import("./exercise.mjs");
  exercise(python, vectors());
  const builder = moduleFrom(python, "compile_modules");
  return (sealed) => {
    if (sealed) python.api.importlib.import_module("seal");
    return libraryOf(builder, sources, sealed);
  };
}

function libraryOf(builder, sources, sealed) {
  const loaded = builder.loaded_files(LIBRARY).toJs();
  const compiled = new Map();
  for (const path of loaded.filter((path) => !path.startsWith("compile_modules"))) {
    const result = builder.compiled(sources.get(path).toString(), LIBRARY + path, sealed);
    const view = result.getBuffer("u8");
    compiled.set(path.replace(/\.py$/, ".pyc"), Buffer.from(view.data));
    view.release();
    result.destroy();
  }
  return writeZip(compiled);
}

function moduleFrom(python, name) {
  return python.api.importlib.import_module(name);
}
