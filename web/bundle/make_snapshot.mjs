// Makes the snapshot: the heap of an interpreter with the core imported and warmed up, as the difference to a fresh heap.
import { createInstance, startInterpreter } from "../dist/core/interpreter.js";
import { HEADER_WORDS, heapHash, PAGE_BYTES, packRun, RUN, SNAPSHOT_MAGIC } from "../dist/core/snapshot.js";
import { exercise } from "./exercise.mjs";
import { vectors } from "./inputs.mjs";

/** Gives the snapshot as bytes; `parts` are those of the loader's snapshot form, `library` the modules to start from. */
export async function makeSnapshot(parts, library) {
  const { heap, state } = await pinned(() => sealedHeap(parts, library));
  const fresh = [];
  for (let count = 0; count < 3; count++) {
    // Fresh heaps made with a real clock and entropy show which pages depend on them.
    const module = await createInstance({ ...parts, snapshot: { heapBytes: heap.length } });
    fresh.push(module.HEAPU8.slice());
  }
  return packed(heap, state, runsOf(heap, fresh));
}

async function sealedHeap(parts, library) {
  const python = await startInterpreter({ ...parts, library, making: true });
  exercise(python, vectors());
  seal(python);
  return { heap: python.module.HEAPU8.slice(), state: stateOf(python) };
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

/** Says page by page what the restored heap gets: what every fresh heap has there, zeros, or the page itself. */
function runsOf(heap, fresh) {
  const runs = [];
  for (let at = 0; at < heap.length; at += PAGE_BYTES) {
    const kind = kindOf(
      heap.subarray(at, at + PAGE_BYTES),
      fresh.map((each) => each.subarray(at, at + PAGE_BYTES)),
    );
    if (runs.at(-1)?.kind === kind) runs.at(-1).pages += 1;
    else runs.push({ kind, pages: 1, at });
  }
  return runs;
}

function kindOf(page, fresh) {
  // A page that even two fresh heaps do not share holds entropy or a trace of the host.
  if (fresh.every((each) => equal(each, page))) return RUN.keep;
  return page.every((byte) => byte === 0) ? RUN.zero : RUN.raw;
}

function equal(a, b) {
  return Buffer.compare(a, b) === 0;
}

function packed(heap, state, runs) {
  const json = Buffer.from(JSON.stringify(state));
  const padding = Buffer.alloc(-json.length & 3);
  const header = Uint32Array.from({ length: HEADER_WORDS }, () => 0);
  header.set([SNAPSHOT_MAGIC, heap.length, heapHash(heap), json.length, runs.length]);
  const words = Uint32Array.from(runs, ({ kind, pages }) => packRun(kind, pages));
  const raw = runs
    .filter(({ kind }) => kind === RUN.raw)
    .map(({ at, pages }) => heap.subarray(at, at + pages * PAGE_BYTES));
  return Buffer.concat([bytesOf(header), json, padding, bytesOf(words), ...raw]);
}

function bytesOf(words) {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
