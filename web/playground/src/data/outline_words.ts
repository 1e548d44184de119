/** What a decision does, in words: the outlines in which the core compares two runs. */
import { writeExactly } from "../../../src/exact_numbers.js";
import type { Tone, Words } from "./event_words.js";

export type Outline = Readonly<Record<string, unknown>>;

const LABELS: ReadonlyMap<unknown, readonly [string, Tone]> = new Map<unknown, readonly [string, Tone]>([
  ["tool_call", ["Wants", "made"]],
  ["approval_request", ["Approval requested", "waiting"]],
  ["correction", ["Correction", "corrected"]],
  ["skill_started", ["Skill", "made"]],
  ["skill_ended", ["Skill ended", "made"]],
  ["child", ["Agent", "made"]],
  ["child_ended", ["Agent ended", "made"]],
  ["decided", ["Decided", "made"]],
  ["switched", ["Switched", "made"]],
  ["final_answer", ["Answer", "accepted"]],
  ["run_failed", ["Run failed", "failed"]],
]);

export function outlineWords({ kind, call_id: _, ...said }: Outline): Words {
  const [label, tone] = LABELS.get(kind) ?? [String(kind), "made"];
  return { label, tone, text: Object.values(said).map(valueText).join(" ") };
}

/** What stands for a step that leads to no derived line. */
export const NOTHING_YET: Words = {
  label: "Goes on",
  tone: "plain",
  text: "the model is asked, or a result is awaited",
};

function valueText(value: unknown): string {
  return typeof value === "string" ? value : writeExactly(value);
}
