// The core in Pyodide under Node: its start, and its JSON functions as JavaScript functions of strings.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { loadPyodide } from "../../web/node_modules/pyodide/pyodide.mjs";

// An exception that crosses into JavaScript makes Node print the whole of pyodide.asm.mjs, so none may.
const GUARDED_CALL = `
def guarded(name):
    import purestep
    function = getattr(purestep, name)
    def call(*arguments):
        try:
            return function(*arguments)
        except BaseException as error:
            return f"raised {type(error).__name__}: {error}"
    return call
guarded
`;

/**
 * Starts Pyodide with the wheels of a folder and the core's sources of a zip.
 *
 * Returns the interpreter, `fn(name)`, which fetches one JSON function of the core once (a runPython for every call would
 * cost 250 microseconds each), and the milliseconds it took until the core was imported.
 */
export async function startCore(coreArchive, wheelFolder) {
  const started = performance.now();
  const python = await loadPyodide({
    env: { PYTHONHASHSEED: "0" },
    jsglobals: Object.create(null), // the core needs nothing of its host's
  });
  for (const name of (await readdir(wheelFolder)).filter((file) => file.endsWith(".whl")).sort()) {
    python.unpackArchive(await bytesOf(join(wheelFolder, name)), "wheel");
  }
  python.unpackArchive(await bytesOf(coreArchive), "zip", { extractDir: "/core" });
  python.runPython("import sys; sys.path.insert(0, '/core'); import purestep");
  const fn = python.runPython(GUARDED_CALL);
  return { python, fn, startMs: performance.now() - started };
}

// Pyodide refuses a Buffer, whose memory may be a slice of a pool.
async function bytesOf(path) {
  return new Uint8Array(await readFile(path));
}
