/** Decisions as text and as values: the digits of their numbers, and the calls with their arguments as they are written. */
import { exactNumber, parseExactly, parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { Decision, ToolCall } from "../generated/wire.js";

/** Gives a decision; the large numbers of a request to a model stay text, since a BigInt stops the JSON.stringify of adapters. */
export function decisionOf(text: string): Decision {
  const decision = parseExactly(text) as Decision;
  return decision.type === "call_model" ? (parseExactly(text, exactNumber) as Decision) : decision;
}

/** Gives the calls of a decision, each with its arguments as text too. */
export function withTexts<Call extends ToolCall>(
  calls: readonly Call[],
  decision: string,
): (Call & { params_json: string })[] {
  const verbatim = (parseVerbatim(decision) as { calls: Call[] }).calls;
  return calls.map((call, index) => ({ ...call, params_json: writeExactly(verbatim[index]!.params) }));
}
