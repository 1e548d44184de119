/** The parts of Pyodide 314 that its own types leave out and that starting it from ready parts needs. */

export type PyCallable = (...args: unknown[]) => unknown;

export interface PythonApi {
  pyVersionTuple: [number, number, number];
  sitePackages: string;
  finalizeBootstrap(state?: object): unknown;
  importlib: { import_module(name: string): Record<string, PyCallable> };
  sys: { path: { insert(index: number, entry: string): void } };
  _pyodide: { set_excepthook(): void };
  config: Record<string, unknown>;
}

export interface SharedLibrary {
  refcount: number;
  exports: unknown;
}

export interface EmscriptenModule {
  API: PythonApi;
  ENV: Record<string, string>;
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array): void;
  };
  HEAPU8: Uint8Array<ArrayBuffer>;
  HEAP32: Int32Array;
  HEAPU32: Uint32Array;
  wasmTable: WebAssembly.Table;
  wasmMemory: WebAssembly.Memory;
  _Py_Version: number;
  __PyRuntime: number;
  __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number;
  growMemory(bytes: number): void;
  newDSO(name: string, handle: undefined, exports: "loading"): SharedLibrary;
  loadWebAssemblyModule(module: WebAssembly.Module, flags: object, name: string, scope: object): unknown;
}

export interface ModuleSettings {
  API: object;
  noImageDecoding: boolean;
  noAudioDecoding: boolean;
  noWasmDecoding: boolean;
  noInitialRun: boolean;
  thisProgram: string;
  arguments: string[];
  preRun: ((module: EmscriptenModule) => void)[];
  print(line: string): void;
  printErr(line: string): void;
  locateFile(path: string): string;
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  onAbort(reason: unknown): void;
}
