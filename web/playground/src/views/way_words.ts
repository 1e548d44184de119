/** A way to ask a model, in words. */
import type { ProbeWay } from "../../../src/agent/probe.js";

const CONSTRAINTS: Readonly<Record<string, string>> = {
  json_schema: "held to a JSON Schema",
  grammar: "held to a grammar",
  tools: "the server is given the tools",
  none: "not held to a form",
};

export function constraintWords(constraint: string): string {
  return CONSTRAINTS[constraint] ?? constraint;
}

export function wayWords({ dialect, constraint, carry }: ProbeWay): string {
  return `${dialect}, ${constraintWords(constraint)}, help ${carry}`;
}
