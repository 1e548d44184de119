// Runs the core through everything that is recorded about it, so that nothing is left to be loaded later.
import { openCalls } from "../dist/core/calls.js";

/** Runs every vector; throws when an output is not the recorded one. */
export function exercise(python, vectors) {
  const { call, release } = openCalls(python);
  for (const { name, function: named, args, output } of vectors) {
    const found = call(named, ...args);
    if (found !== output)
      throw new Error(`the vector ${name} gave ${found.slice(0, 300)} instead of ${output.slice(0, 300)}`);
  }
  release();
}
