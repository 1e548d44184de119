/**
 * Starts the Python interpreter from parts that are already loaded, following the start sequence of Pyodide 314.
 *
 * The interpreter sees nothing of its host: no globals, a fixed environment, no program name, no packages to load. So a
 * heap made on one host continues on another, and a step cannot perform I/O.
 */
import { PurestepError } from "../errors.js";
import type { RestOfModule } from "./rest.js";
import type { Snapshot } from "./snapshot.js";
import { applySnapshot } from "./snapshot.js";
import type { EmscriptenModule, ModuleSettings, PyCallable, PythonApi } from "./pyodide_internals.js";

/** A WebAssembly module that Python imports as an extension, and the path it is found under. */
export interface SideModule {
  path: string;
  module: WebAssembly.Module;
}

export interface InterpreterParts {
  /** The default export of pyodide.asm.mjs or of core.mjs. */
  createModule: (settings: never) => Promise<unknown>;
  main: WebAssembly.Module;
  sideModules: readonly SideModule[];
  /** What the main module was split from; without it, that module is whole. */
  rest?: RestOfModule | undefined;
  /** The zip of Python modules; without one, the snapshot holds everything. */
  library?: Uint8Array;
  snapshot?: Snapshot;
  /** For tests that count or trap calls: receives the interpreter's imports from JavaScript and may change them. */
  onImports?: ((imports: WebAssembly.Imports) => void) | undefined;
  /** Only for making a snapshot: see web/bundle/make_snapshot.mjs. */
  making?: boolean;
}

export interface Interpreter {
  module: EmscriptenModule;
  api: PythonApi;
  /** Gives a Python object by module and name. */
  get(module: string, name: string): PyCallable;
}

/** Size of the function table: engines differ by a few slots, and with one size a heap's function pointers fit all. */
const TABLE_SLOTS = 14336;

// LANG and _ would otherwise be the host's. HOME exists in every fresh file system.
const ENVIRONMENT = { PYTHONHASHSEED: "0", PYTHONINSPECT: "1", LANG: "C.UTF-8", _: "python", HOME: "/" };

/**
 * The host that the script is told: not Node, whose modules it would import, but Safari, for which it opens no message
 * channel. An open channel keeps a Node process alive.
 */
const RUNTIME = { IN_BROWSER: true, IN_SAFARI: true };

/** Starts the interpreter; rejects when it does not start. */
export async function startInterpreter(parts: InterpreterParts): Promise<Interpreter> {
  const module = await createInstance(parts);
  const { API: api } = module;
  const state = parts.snapshot && restored(module, parts.snapshot);
  parts.rest?.started();
  api.finalizeBootstrap(state);
  api.sys.path.insert(0, "");
  api._pyodide.set_excepthook();
  return { module, api, get: (from, name) => api.importlib.import_module(from)[name]! };
}

/** Links the modules and lays out the heap; without a snapshot Python itself is started too. */
export async function createInstance(parts: InterpreterParts): Promise<EmscriptenModule> {
  let failed: (reason: unknown) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => (failed = reject));
  const settings = settingsOf(parts, failed);
  return (await Promise.race([parts.createModule(settings as never), failure])) as EmscriptenModule;
}

function settingsOf(parts: InterpreterParts, failed: (reason: unknown) => void): ModuleSettings {
  const api = {
    config: {
      jsglobals: Object.create(null) as object,
      env: ENVIRONMENT,
      args: [],
      packages: [],
      BUILD_ID,
      _makeSnapshot: parts.making ?? false,
    },
    runtimeEnv: RUNTIME,
  };
  return {
    API: api,
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: true,
    // A snapshot is of an interpreter that has started; its start would be overwritten.
    noInitialRun: parts.snapshot !== undefined,
    thisProgram: "python",
    arguments: [],
    preRun: [(module) => prepare(module, parts, failed)],
    print: () => undefined,
    printErr: () => undefined,
    locateFile: (path) => {
      throw new PurestepError("bundle_damaged", `expected every part to be given; the interpreter asked for ${path}`);
    },
    instantiateWasm: (imports, receive) => {
      instantiate(parts, imports).then((instance) => receive(instance, parts.main), failed);
      return {};
    },
    onAbort: failed,
  };
}

// 64 hexadecimal digits; a snapshot is bound to its files by the manifest, not by this.
const BUILD_ID = "0".repeat(64);

async function instantiate(parts: InterpreterParts, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  const marker = Symbol("an error crossed");
  Object.assign(imports.env!, {
    Jsv_GetError_import: () => marker,
    JsvError_Check: (value: unknown) => value === marker,
  });
  parts.onImports?.(imports);
  const instance = await WebAssembly.instantiate(parts.main, imports);
  parts.rest?.connect(instance, imports);
  return instance;
}

/** Lays out what the interpreter finds when it starts, before its own code runs. */
function prepare(module: EmscriptenModule, parts: InterpreterParts, failed: (reason: unknown) => void): void {
  try {
    const version = module.HEAPU32[module._Py_Version >>> 2]!;
    const [major, minor, micro] = [(version >>> 24) & 255, (version >>> 16) & 255, (version >>> 8) & 255];
    const lib = `/lib/python${major}.${minor}`;
    module.API.pyVersionTuple = [major, minor, micro];
    module.API.sitePackages = `${lib}/site-packages`;
    module.FS.mkdirTree(module.API.sitePackages);
    module.FS.mkdirTree(`${lib}/lib-dynload`);
    module.FS.writeFile(`/lib/python${major}${minor}.zip`, parts.library ?? EMPTY_ZIP);
    Object.assign(module.ENV, ENVIRONMENT);
    module.wasmTable.grow(TABLE_SLOTS - module.wasmTable.length);
    for (const side of parts.sideModules) preload(module, side);
  } catch (error) {
    failed(error);
    throw error;
  }
}

const EMPTY_ZIP = Uint8Array.of(0x50, 0x4b, 5, 6, ...new Uint8Array(18));

/** Makes an extension loaded already when Python opens it, which could only be compiled synchronously then. */
function preload(module: EmscriptenModule, { path, module: compiled }: SideModule): void {
  module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  module.FS.writeFile(path, new Uint8Array()); // it is looked for, never read
  const library = module.newDSO(path, undefined, "loading");
  library.refcount = Infinity;
  library.exports = module.loadWebAssemblyModule(
    compiled,
    { allowUndefined: false, global: false, nodelete: true },
    path,
    {},
  );
}

function restored(module: EmscriptenModule, snapshot: Snapshot): object {
  // The one pointer that is the engine's own: to a thunk that it compiled when it started.
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >> 2]!;
  const place = (module.__PyRuntime + offset) >> 2;
  const trampoline = module.HEAP32[place]!;
  const fresh = module.HEAPU8.length;
  module.growMemory(snapshot.heapBytes);
  const state = applySnapshot(module.HEAPU8, snapshot, fresh);
  module.HEAP32[place] = trampoline;
  return state;
}
