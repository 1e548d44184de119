// Splits the interpreter's WebAssembly in two: functions that the core is seen to call, and the rest, which is loaded
// when a first decision has been made, or when one of its functions is called.
//
// Data that only functions of the rest read comes with it (data_of_rest.mjs). Both halves have the same functions under the same numbers, so no body is rewritten. One that lies in the other half
// has a short body here that calls it through a table of its own, in which each half enters its functions.
import { KIND, list, Reader, readModule, SECTION, signed, text, unsigned } from "./wasm_sections.mjs";
import { dataImage, dataSegment, dataSegments, writeSections } from "./wasm_sections.mjs";

const I32 = 0x7f;
const OP = { if: 0x04, end: 0x0b, callIndirect: 0x11, localGet: 0x20, globalGet: 0x23, globalSet: 0x24, const: 0x41 };
const EQZ = 0x45;
const NO_RESULT = 0x40;

/** Gives the module with a global for every function, exported as `called_0` on, which is 1 once it has been called. */
export function counting(bytes) {
  const module = readModule(bytes);
  const first = module.globals.length;
  const flags = module.functions.map((_, index) => index);
  return rewritten(module, {
    [SECTION.global]: list([
      ...module.globals.map(({ entry }) => entry),
      ...flags.map(() => Buffer.of(I32, 1, OP.const, 0, OP.end)),
    ]),
    [SECTION.export]: list([
      ...module.exports.map(({ entry }) => entry),
      ...flags.map((index) => exported(`called_${index}`, KIND.global, first + index)),
    ]),
    [SECTION.code]: list(
      module.bodies.map((body, index) => {
        const start = localsEnd(body);
        const mark = Buffer.concat([Buffer.of(OP.const, 1, OP.globalSet), unsigned(first + index)]);
        return sized(Buffer.concat([body.subarray(0, start), mark, body.subarray(start)]));
      }),
    ),
  });
}

/** Gives the numbers of the functions that were called, among those that the module defines. */
export function calledFunctions(exports) {
  const called = [];
  for (let index = 0; exports[`called_${index}`]; index++) if (exports[`called_${index}`].value) called.push(index);
  return called;
}

/**
 * Gives both halves; `called` are the numbers of the functions that the first is to hold, `later` the data of the rest,
 * as `[start, bytes]`.
 */
export function split(bytes, called, later) {
  const module = readModule(bytes);
  const isFirst = new Uint8Array(module.functions.length);
  for (const index of called) isFirst[index] = 1;
  const numbers = module.functions.map((_, index) => index);
  const order = [...numbers.filter((index) => isFirst[index]), ...numbers.filter((index) => !isFirst[index])];
  const slots = new Uint32Array(order.length);
  order.forEach((index, slot) => (slots[index] = slot));
  const halves = { module, isFirst, slots, order, count: called.length, later };
  return { first: firstHalf(halves), rest: restHalf(halves) };
}

function firstHalf({ module, isFirst, slots, order, count, later }) {
  const { globals, exports, functions, imports, tables } = module;
  const here = globals.length;
  const load = order.length;
  const known = new Set(exports.filter(({ kind }) => kind === KIND.global).map(({ index }) => index));
  const unnamed = globals.map((_, index) => index).filter((index) => !known.has(index));
  const section = (id) => module.sections.find(([each]) => each === id)[1];
  const { start, image } = dataImage(module);
  for (const [from, { length }] of later) image.fill(0, from - start, from - start + length);
  const data = dataSegments({ start, image });
  return rewritten(module, {
    [SECTION.dataCount]: unsigned(data.length),
    [SECTION.data]: list(data),
    [SECTION.table]: list([...tables, Buffer.concat([Buffer.of(0x70, 1), ...twice(load + 1)])]),
    [SECTION.global]: list([...globals.map(({ entry }) => entry), Buffer.of(I32, 1, OP.const, 0, OP.end)]),
    [SECTION.export]: list([
      ...exports.map(({ entry }) => entry),
      ...unnamed.map((index) => exported(`global_${index}`, KIND.global, index)),
      ...tables.map((_, index) => exported(`table_${index}`, KIND.table, index)),
      exported("halves", KIND.table, tables.length),
      exported("rest_is_here", KIND.global, here),
    ]),
    [SECTION.element]: appended(section(SECTION.element), [
      segment(
        module,
        0,
        order.slice(0, count).map((index) => imports.length + index),
      ),
    ]),
    [SECTION.code]: list(
      functions.map((type, index) => {
        if (isFirst[index]) return sized(module.bodies[index]);
        const check = [
          Buffer.of(OP.globalGet),
          unsigned(here),
          Buffer.of(EQZ, OP.if, NO_RESULT),
          called(module, noneToNone(module), load),
          Buffer.of(OP.end),
        ];
        return sized(Buffer.concat([Buffer.of(0), ...check, called(module, type, slots[index]), Buffer.of(OP.end)]));
      }),
    ),
  });
}

function restHalf({ module, isFirst, slots, order, count, later }) {
  const { imports, globals, functions, tables, memories, tags } = module;
  const section = (id) => module.sections.find(([each]) => each === id)[1];
  const named = new Map(module.exports.map(({ name, kind, index }) => [`${kind} ${index}`, name]));
  const given = (name, kind, description) => Buffer.concat([text("first"), text(name), Buffer.of(kind), description]);
  const nameOf = (kind, index, other) => named.get(`${kind} ${index}`) ?? `${other}_${index}`;
  const halves = Buffer.concat([Buffer.of(0x70, 1), ...twice(order.length + 1)]);
  const calls = functions.map((type, index) =>
    sized(
      isFirst[index]
        ? Buffer.concat([Buffer.of(0), called(module, type, slots[index]), Buffer.of(OP.end)])
        : module.bodies[index],
    ),
  );
  return writeSections([
    [SECTION.type, section(SECTION.type)],
    [
      SECTION.import,
      list([
        ...imports,
        ...tables.map((type, index) => given(`table_${index}`, KIND.table, type)),
        given("halves", KIND.table, halves),
        ...memories.map((type, index) => given(nameOf(KIND.memory, index), KIND.memory, type)),
        ...globals.map(({ type }, index) => given(nameOf(KIND.global, index, "global"), KIND.global, type)),
        ...tags.map((type, index) => given(nameOf(KIND.tag, index), KIND.tag, type)),
      ]),
    ],
    [SECTION.function, section(SECTION.function)],
    [
      SECTION.element,
      list([
        segment(
          module,
          count,
          order.slice(count).map((index) => imports.length + index),
        ),
      ]),
    ],
    [SECTION.code, list(calls)],
    [SECTION.data, list(later.map(([start, bytes]) => dataSegment(start, bytes)))],
  ]);
}

/** Gives the module with some sections in place of its own. */
function rewritten(module, changed) {
  return writeSections(module.sections.map(([id, body]) => [id, changed[id] ?? body]));
}

/** A call through the table of both halves, with the parameters that the caller was given. */
function called({ types, tables }, type, slot) {
  const parameters = Array.from({ length: types[type].parameters }, (_, index) => [
    Buffer.of(OP.localGet),
    unsigned(index),
  ]);
  return Buffer.concat([
    ...parameters.flat(),
    Buffer.of(OP.const),
    signed(slot),
    Buffer.of(OP.callIndirect),
    unsigned(type),
    unsigned(tables.length),
  ]);
}

function noneToNone({ types }) {
  return types.findIndex(({ parameters, results }) => parameters === 0 && results === 0);
}

/** An active segment of the table of both halves. */
function segment({ tables }, slot, functions) {
  return Buffer.concat([
    Buffer.of(2),
    unsigned(tables.length),
    Buffer.of(OP.const),
    signed(slot),
    Buffer.of(OP.end, 0),
    list(functions.map((index) => unsigned(index))),
  ]);
}

function appended(section, entries) {
  const reader = new Reader(section);
  const count = reader.unsigned();
  return Buffer.concat([unsigned(count + entries.length), section.subarray(reader.at), ...entries]);
}

function exported(name, kind, index) {
  return Buffer.concat([text(name), Buffer.of(kind), unsigned(index)]);
}

function sized(body) {
  return Buffer.concat([unsigned(body.length), body]);
}

function twice(value) {
  return [unsigned(value), unsigned(value)];
}

/** Where a body's instructions begin. */
function localsEnd(body) {
  const reader = new Reader(body);
  reader.list(() => [reader.unsigned(), reader.take(1)]);
  return reader.at;
}
