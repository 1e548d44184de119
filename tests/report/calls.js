// Answers calls of the core's JSON functions, [[name, ...args], ...]: what the scripts for each host share.

/** Gives the outputs of calls, in their order. */
export function answered(core, calls) {
  return calls.map(([name, ...args]) => core[name](...args));
}
