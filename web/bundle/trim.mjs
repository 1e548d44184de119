// Cuts the interpreter's script and WebAssembly down to what the core's extension modules and the start need.
//
// Of 8,560 exports some 1,700 are used; all others keep code alive, and each costs time when the module is linked.
import binaryen from "binaryen";
import { minify } from "terser";
import { sealed } from "./seal_script.mjs";

/** What WebAssembly itself, or Emscripten by name, takes from the main module. */
const ALWAYS = [
  "memory",
  "__indirect_function_table",
  "__wasm_call_ctors",
  "__wasm_apply_data_relocs",
  "main",
  "__main_argc_argv",
  "__stack_pointer",
];

/** What web/src/core/interpreter.ts takes from the module of the script. */
const MEMBERS = [
  "API",
  "ENV",
  "FS",
  "HEAP8",
  "HEAPU8",
  "HEAP32",
  "HEAPU32",
  "growMemory",
  "loadWebAssemblyModule",
  "newDSO",
  "wasmMemory",
  "wasmTable",
];
const SYMBOLS = ["_Py_Version", "__PyRuntime", "__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET"];

/** What web/bundle/make_snapshot.mjs takes besides. */
const SEALING = [
  "_malloc",
  "_free",
  "_emscripten_get_sbrk_ptr",
  "_emscripten_stack_get_end",
  "_emscripten_stack_get_current",
];

/** Gives the trimmed script and main module; `sides` are the extension modules that will be linked to them. */
export async function trimmed(scriptText, main, sides) {
  const needed = importedNames([main, ...sides]);
  const script = cutScript(scriptText, needed);
  const wasm = cutModule(main, new Set([...ALWAYS, ...needed, ...script.exportsUsed]));
  return { script: await shortened(script.text), wasm };
}

/** Gives the names that modules import, be it directly or through the global offset table. */
function importedNames(modules) {
  const compiled = modules.map((bytes) => new WebAssembly.Module(bytes));
  return new Set(compiled.flatMap((module) => WebAssembly.Module.imports(module).map(({ name }) => name)));
}

function cutModule(bytes, keep) {
  const module = binaryen.readBinary(new Uint8Array(bytes));
  const { Features: has } = binaryen;
  module.setFeatures(
    has.MutableGlobals |
      has.NontrappingFPToInt |
      has.BulkMemory |
      has.BulkMemoryOpt |
      has.SignExt |
      has.ExceptionHandling |
      has.ReferenceTypes |
      has.Multivalue |
      has.CallIndirectOverlong,
  );
  const compiled = new WebAssembly.Module(bytes);
  for (const { name, kind } of WebAssembly.Module.exports(compiled)) {
    if (!keep.has(name) && (kind === "function" || kind === "global")) module.removeExport(name);
  }
  module.runPasses(["remove-unused-module-elements"]);
  const cut = Buffer.from(module.emitBinary());
  module.dispose();
  return cut;
}

function cutScript(text, needed) {
  const parts = splitScript(text);
  const tokens = new Set([...parts.rest.matchAll(/[A-Za-z_$][\w$]*/g)].map(([token]) => token));
  for (const name of [...SYMBOLS, ...SEALING]) tokens.add(name);
  // A symbol that only other modules need is taken from the exports themselves: the script needs no variable for it.
  const used = parts.assignments.filter(({ variables }) => variables.some((variable) => tokens.has(variable)));
  const declared = used.flatMap(({ variables }) => variables);
  const direct = [...parts.rest.matchAll(/wasmExports(?:\.|\[")([\w$]+)/g)].map(([, name]) => name);
  const body = used.map(({ statement }) => statement).join(";");
  const imports = parts.imports.filter(([key]) => needed.has(key));
  const joined = [
    parts.beforeDeclared,
    `var ${declared.join(",")};`,
    `function assignWasmExports(wasmExports){${body}}`,
    `var wasmImports={${imports.map(([key, value]) => `${key}:${value}`).join(",")}};`,
    parts.after,
  ].join("");
  const kept = new Set(imports.map(([, value]) => value));
  return {
    text: sealed(withoutSources(withoutMembers(withoutSignatures(joined, kept)))),
    exportsUsed: [...used.map(({ exported }) => exported), ...direct],
  };
}

function splitScript(text) {
  const declared = /var (?:[\w$]+,){1000,}[\w$]+;/.exec(text);
  const assign = /function assignWasmExports\(wasmExports\)\{([^}]*)\}/.exec(text);
  const imports = /var wasmImports=\{([^}]*)\};/.exec(text);
  if (!declared || !assign || !imports || declared.index > assign.index || assign.index > imports.index) {
    throw new Error("pyodide.asm.mjs has another form than that of Pyodide 314; web/bundle/trim.mjs must learn it");
  }
  const between =
    text.slice(declared.index + declared[0].length, assign.index) +
    text.slice(assign.index + assign[0].length, imports.index);
  const before = text.slice(0, declared.index) + between;
  const after = text.slice(imports.index + imports[0].length);
  return {
    beforeDeclared: before,
    after,
    rest: before + after,
    assignments: assign[1].split(";").filter(Boolean).map(parsedAssignment),
    imports: imports[1].split(",").map((entry) => (entry.includes(":") ? entry.split(":") : [entry, entry])),
  };
}

function parsedAssignment(statement) {
  const [, targets, exported] = /^(.*)=wasmExports\["([\w$]+)"\](?:\.value>>>0)?$/.exec(statement) ?? [];
  if (!targets)
    throw new Error(`expected an assignment of an export in pyodide.asm.mjs; got ${statement.slice(0, 100)}`);
  return { statement, variables: targets.split("=").filter((target) => /^[\w$]+$/.test(target)), exported };
}

/** Only functions that a module imports are ever added to its table, for which their signatures are there. */
function withoutSignatures(text, kept) {
  return text.replace(/([\w$]+)\.sig=("\w*"|'\w*');?/g, (whole, name) => (kept.has(name) ? whole : ""));
}

/** Emscripten puts all that it has on the module; what nobody takes from there need not be in the script at all. */
function withoutMembers(text) {
  const taken = new Map();
  for (const [, dotted, quoted] of text.matchAll(/Module(?:\.([\w$]+)|\["([\w$]+)"\])/g)) {
    taken.set(dotted ?? quoted, (taken.get(dotted ?? quoted) ?? 0) + 1);
  }
  return text.replace(/Module\["([\w$]+)"\]=\1;/g, (whole, name) =>
    taken.get(name) > 1 || MEMBERS.includes(name) ? whole : "",
  );
}

/** The start parses lines of Python to get at modules, which it can import: so it needs no parser written in Python. */
function withoutSources(text) {
  const swaps = [
    ['API.runPythonInternal_dict=API._pyodide._base.eval_code("{}"),', ""],
    ['API.runPythonInternal("import importlib; importlib")', 'API._pyodide._base.import_module("importlib")'],
    ['API.runPythonInternal("import __main__; __main__.__dict__")', 'API.importlib.import_module("__main__").__dict__'],
    ['API.runPythonInternal("import builtins; builtins.__dict__")', 'API.importlib.import_module("builtins").__dict__'],
  ];
  return swaps.reduce((before, [source, by]) => {
    if (!before.includes(source)) throw new Error(`expected ${source} in pyodide.asm.mjs`);
    return before.replace(source, by);
  }, text);
}

async function shortened(text) {
  const { code } = await minify(text, {
    module: true,
    ecma: 2020,
    compress: { passes: 2, pure_getters: true, unsafe_arrows: false, keep_fargs: true },
    mangle: true,
  });
  return Buffer.from(code);
}
