/** Decisions as text and as values: the digits of their numbers, and the calls with their arguments as they are written. */
import { exactNumber, parseExactly, parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { Decision, Message, RequestApproval, ToolCall } from "../generated/wire.js";
import type { AgentPlace, AskedCall, OpenDecision, TreeStep } from "./ports.js";

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

/** Gives the last line of a step of which agents are a part; none for any other. */
export function readTree(line: string | undefined): TreeStep {
  if (line === undefined) return { also: [], children: {} };
  const { also, children } = parseVerbatim(line) as { also: unknown[]; children: Record<string, Message[]> };
  return {
    also: also.map(writeExactly).map((text) => ({ decision: decisionOf(text), decision_json: text })),
    children,
  };
}

/** Gives where the agent is whose decision it is; nothing for the run's own. */
export function placeOf(decision: Decision): AgentPlace {
  const { path, run_id } = decision as AgentPlace;
  return path && run_id !== undefined ? { path, run_id } : {};
}

/** Gives the calls that a decision asks a person about, with their agent's place. */
export function askedIn({ decision, decision_json }: OpenDecision): AskedCall[] {
  const { calls } = decision as RequestApproval;
  return withTexts(calls, decision_json).map((call) => ({ ...call, ...placeOf(decision) }));
}
