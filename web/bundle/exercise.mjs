// Runs every recorded call of the core, so that no module is loaded later.
import { openCalls } from "../dist/core/calls.js";

// One call of each of the tools' functions, and of what they load only for some arguments.
const TOOL_CALLS = [
  ["add_numbers", '{"a":2,"b":3}', '{"value":5}'],
  ["calculate", "sin(1) + tan(1) + exp(1) + log(2) + log10(2) + 2 ** 0.5", '{"value":7.52555127651887}'],
  ["calculate", "2 +", '{"error":{"code":"no_value","message":"the expression ends early","path":""}}'],
  [
    "run_probe_tool",
    '{"tool":"lookup_order","params":{"number":"1042"}}',
    '{"value":{"ok":true,"output":"shipped on Monday"}}',
  ],
  ["html_text", "<p>caf&eacute; &#8212; <b>open</b>", '{"value":"café — open"}'],
];

/** Runs every vector and the tools' functions; throws when an output is not the recorded one. */
export function exercise(python, vectors) {
  const { call, release } = openCalls(python);
  for (const { name, function: named, args, output } of vectors) {
    const found = call(named, ...args);
    if (found !== output)
      throw new Error(`the vector ${name} gave ${found.slice(0, 300)} instead of ${output.slice(0, 300)}`);
  }
  for (const [named, argument, output] of TOOL_CALLS) {
    const found = call(named, argument);
    if (found !== output) throw new Error(`${named}(${argument}) gave ${found} instead of ${output}`);
  }
  // Vectors name all of their arguments; what is left out crosses as a value of its own.
  const [query, state] = ["What is due?", "create_agent_state"];
  if (call(state, query, null, null, null) !== call(state, query)) throw new Error(`${state} took null for a value`);
  release();
}
