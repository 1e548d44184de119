// Makes the snapshot: the heap of an interpreter with the core imported, as the difference to a fresh heap; and the two
// halves of the interpreter's module, of which the first has what the core is seen to need.
import { createInstance, startInterpreter } from "../dist/core/interpreter.js";
import { RestOfModule } from "../dist/core/rest.js";
import {
  HEADER_WORDS,
  keptHash,
  LATER,
  PAGE_BYTES,
  packRun,
  readSnapshot,
  RUN,
  SNAPSHOT_MAGIC,
} from "../dist/core/snapshot.js";
import { dataOfRest } from "./data_of_rest.mjs";
import { exercise } from "./exercise.mjs";
import { vectors } from "./inputs.mjs";
import { calledFunctions, counting, split } from "./split.mjs";
import { openCalls } from "../dist/core/calls.js";
import { readModule } from "./wasm_sections.mjs";
import { readZip } from "./zip.mjs";

/**
 * Gives the snapshot and the halves of the module `whole`, all as bytes; `parts` are those of the loader's snapshot form
 * without a main module, `library` the modules to start from.
 */
export async function makeSnapshot(parts, whole, library) {
  const uncut = { ...parts, main: await WebAssembly.compile(whole) };
  const { heap, state } = await pinned(() => sealedHeap(uncut, library));
  const called = await pinned(() => calledBy(parts, whole, packed(heap, state, wholeRuns(heap), heap)));
  const ranges = dataOfRest(readModule(whole), called);
  const { first, rest } = split(
    whole,
    called,
    ranges.map(([start, end]) => [start, heap.slice(start, end)]),
  );
  for (const [start, end] of ranges) heap.fill(LATER, start, end);
  const cut = { ...parts, main: await WebAssembly.compile(first) };
  const fresh = [];
  for (let count = 0; count < 3; count++) {
    // Fresh heaps made with a real clock and entropy show which pages depend on them.
    const module = await createInstance({ ...cut, snapshot: {}, rest: unneeded() });
    fresh.push(module.HEAPU8.slice());
  }
  return { first, rest, snapshot: packed(heap, state, runsOf(heap, fresh, ranges), fresh[0]) };
}

/** Gives the numbers of the functions that a start from the snapshot and all the vectors call. */
async function calledBy(parts, whole, snapshot) {
  let exports;
  const main = await WebAssembly.compile(counting(whole));
  const rest = { connect: (instance) => (exports = instance.exports), started: () => undefined };
  exercise(await startInterpreter({ ...parts, main, rest, snapshot: readSnapshot(snapshot) }), vectors());
  return calledFunctions(exports);
}

/** The rest, where none of its functions may be called. */
function unneeded() {
  return new RestOfModule(() => {
    throw new Error("expected a start to need the first half alone");
  });
}

async function sealedHeap(parts, library) {
  const python = await startInterpreter({ ...parts, library, making: true });
  importAll(python, library);
  openCalls(python).release();
  seal(python);
  return { heap: python.module.HEAPU8.slice(), state: stateOf(python) };
}

/**
 * Imports every module of the library, which are those that the vectors needed, so that none is loaded later.
 *
 * Nothing is called: code that has run carries its caches of types and places, which compress badly.
 */
function importAll(python, library) {
  const modules = [...readZip(library).keys()].map((path) => path.replace(/(?:\/__init__)?\.pyc$/, ""));
  // The first of them makes the extension module findable.
  for (const path of ["purestep_calls", ...modules]) python.api.importlib.import_module(path.replaceAll("/", "."));
}

const FIRST_SECOND = Date.UTC(1980, 0, 1);

/** Runs the work with a fixed clock and no entropy, so that the same parts give the same snapshot. */
async function pinned(work) {
  const held = [Date.now, performance.now, crypto.getRandomValues];
  process.env.TZ = "UTC";
  Date.now = () => FIRST_SECOND;
  performance.now = () => 0;
  crypto.getRandomValues = (view) => view.fill(0x5a);
  try {
    return await work();
  } finally {
    [Date.now, performance.now, crypto.getRandomValues] = held;
  }
}

function seal(python) {
  const module = python.api.importlib.import_module("seal");
  module.drop_modules();
  module.drop_annotations();
  module.forget();
  module.blank();
  module.freeze();
  module.destroy();
  blankMalloc(python.module);
}

/** Overwrites malloc's free memory and the unused stack: remains of the warm-up, which would make the snapshot larger. */
function blankMalloc(module) {
  const top = module.HEAPU32[module._emscripten_get_sbrk_ptr() >> 2];
  const held = [];
  for (let size = 1 << 22; size >= 16; size >>= 1) {
    for (;;) {
      const at = module._malloc(size);
      if (at) held.push(at);
      if (!at || at + size > top) break; // new memory, which is blank
      module.HEAPU8.fill(0, at, at + size);
    }
  }
  for (const at of held) module._free(at);
  module.HEAPU8.fill(0, module._emscripten_stack_get_end(), module._emscripten_stack_get_current());
}

/** The first values that Python may refer to: nothing, the (empty) global object, and Pyodide's own interface. */
const FIRST_REFERENCES = 3;

/**
 * Gives the state that Pyodide keeps outside of the heap, in the form that its start expects.
 *
 * Its own function for that expects what the package `pyodide` refers to, which the bundle does without.
 */
function stateOf({ module }) {
  const references = valuesOf(module.__hiwire_get);
  if (references.length !== FIRST_REFERENCES) {
    throw new Error(
      `expected no JavaScript object to be held from Python but ${FIRST_REFERENCES}; got ${references.length}`,
    );
  }
  const immortal = valuesOf(module.__hiwire_immortal_get);
  const marker = immortal.findIndex((value) => value?.noValueMarker === 1);
  const names = immortal.slice(marker + 1);
  if (marker < 0 || !names.every((name) => typeof name === "string"))
    throw new Error("expected the interned names after a marker");
  return { hiwireKeys: [], immortalKeys: names };
}

function valuesOf(get) {
  const values = [];
  for (;;) {
    try {
      values.push(get(values.length));
    } catch {
      return values;
    }
  }
}

/**
 * Says page by page what the restored heap gets: what every fresh heap has there, zeros, the page itself, or what is later.
 * Past the end of a fresh heap memory is added, which has zeros.
 */
function runsOf(heap, fresh, later) {
  const runs = [];
  for (let at = 0; at < heap.length; at += PAGE_BYTES) {
    const pages = fresh.map((each) => (at < each.length ? each.subarray(at, at + PAGE_BYTES) : BLANK));
    const isLater = later.some(([start, end]) => at >= start && at < end);
    const kind = isLater ? RUN.later : kindOf(heap.subarray(at, at + PAGE_BYTES), pages);
    if (runs.at(-1)?.kind === kind) runs.at(-1).pages += 1;
    else runs.push({ kind, pages: 1, at });
  }
  return runs;
}

/** Says that every page is restored, whatever a fresh heap has there. */
function wholeRuns(heap) {
  return [{ kind: RUN.raw, pages: heap.length / PAGE_BYTES, at: 0 }];
}

const BLANK = new Uint8Array(PAGE_BYTES);

function kindOf(page, fresh) {
  // A page that even two fresh heaps do not share holds entropy or a trace of the host.
  if (fresh.every((each) => equal(each, page))) return RUN.keep;
  return page.every((byte) => byte === 0) ? RUN.zero : RUN.raw;
}

function equal(a, b) {
  return Buffer.compare(a, b) === 0;
}

function packed(heap, state, runs, fresh) {
  const json = Buffer.from(JSON.stringify(state));
  const padding = Buffer.alloc(-json.length & 3);
  const header = Uint32Array.from({ length: HEADER_WORDS }, () => 0);
  const words = Uint32Array.from(runs, ({ kind, pages }) => packRun(kind, pages));
  header.set([SNAPSHOT_MAGIC, heap.length, keptHash(fresh, words), json.length, runs.length]);
  const raw = runs
    .filter(({ kind }) => kind === RUN.raw)
    .map(({ at, pages }) => heap.subarray(at, at + pages * PAGE_BYTES));
  return Buffer.concat([bytesOf(header), json, padding, bytesOf(words), ...raw]);
}

function bytesOf(words) {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
