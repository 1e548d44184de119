// The data that comes with the rest of the interpreter, since none but functions of the rest read it.
//
// A linker lays out data in the order of the object files, as it does functions. Each range lies within the data of
// files of which the first half has no function.
import { eachConstant } from "./wasm_constants.mjs";
import { dataImage } from "./wasm_sections.mjs";

/** The ranges in the module of Pyodide 314.0.7, in whole pages of a snapshot. */
const RANGES = [
  [0xc4000, 0x1ed000], // codecs of Chinese, Japanese and Korean, and unicodedata
  [0x22d000, 0x296000], // the code of the modules that Python starts with, which the snapshot has as objects
  [0x297000, 0x2aa000], // xz, zlib and SQLite
  [0x2b2000, 0x2d3000], // character sets of the C library
];

/** Constants of the first half that are numbers: limits of code points, what UTF-8 adds, a factor of hashes, masks. */
const NUMBERS = new Set([0xe2080, 0xf4240, 0xf4243, 0xffc00, 0xfffff, 0x100000, 0x10ffff, 0x110000]);

/** Where tables of short numbers begin, two of which look like an address. */
const TABLES = new Set([
  0x7ad80, 0x83580, 0x95230, 0x95276, 0x227c80, 0x2ac734, 0x2db39f, 0x2db5b0, 0x30e384, 0x369790,
]);

/**
 * Gives the ranges as `[start, end]`; throws when a function of the first half, which are those with a number in
 * `called`, has an address in one of them as a constant, or has the address of data that has one.
 */
export function dataOfRest(module, called) {
  const inRange = (value) => RANGES.some(([start, end]) => value >= start && value < end);
  const pointsIn = (value) => inRange(value) && !NUMBERS.has(value) && !isText(value);
  const { first, all } = addresses(module, new Set(called));
  const held = words(module).filter(([at, value]) => {
    const object = lastUpTo(all, at);
    return pointsIn(value) && !inRange(at) && first.has(object) && !TABLES.has(object);
  });
  const faults = [...[...first].filter(pointsIn), ...held.map(([at]) => at)];
  if (!faults.length) return RANGES;
  const places = faults.slice(0, 20).map((each) => `0x${each.toString(16)}`);
  throw new Error(
    `expected no address of the rest's data in the first half; got ${faults.length}, at ${places.join(", ")}: ` +
      "find the ranges of this interpreter, and name them in web/bundle/data_of_rest.mjs",
  );
}

/** Gives all constants that may be addresses, sorted, and those of the first half. */
function addresses(module, called) {
  const first = new Set(module.globals.map(({ begin }) => begin));
  const all = new Set(first);
  module.bodies.forEach((body, index) =>
    eachConstant(body, (value) => {
      all.add(value);
      if (called.has(index)) first.add(value);
    }),
  );
  return { first, all: Uint32Array.from(all).sort() };
}

/** Gives the words of a module's data, each with its address. */
function words(module) {
  const { start, image } = dataImage(module);
  const found = [];
  for (let at = -start & 3; at + 4 <= image.length; at += 4) found.push([start + at, image.readUInt32LE(at)]);
  return found;
}

/** Whether the word is the end of a text, such as `ts)` and the zero after it. */
function isText(word) {
  return [word & 255, (word >> 8) & 255].every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** Gives the last of the sorted numbers that is not above `value`. */
function lastUpTo(numbers, value) {
  let low = 0;
  for (let high = numbers.length; high - low > 1;) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle;
    else high = middle;
  }
  return numbers[low];
}
