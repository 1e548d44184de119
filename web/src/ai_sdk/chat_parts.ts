/** What the parts of a UI message say to a run: the user's text, and a person's answers about calls. */
import { type AnsweredCall, approved, refused } from "../agent/approving.js";
import type { Approval } from "../generated/wire.js";

/** Gives the text of a message; its parts stand on lines of their own. */
export function textOf(parts: readonly object[]): string {
  return parts.flatMap(textIn).join("\n");
}

function textIn(part: object): string[] {
  const { type, text } = part as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" ? [text] : [];
}

interface AnsweredPart {
  readonly state: string;
  readonly toolCallId: AnsweredCall["call_id"];
  readonly approval: { readonly id: string; readonly approved?: boolean; readonly reason?: string } | null;
}

/** Gives the answer in a part of a message, if it holds one; the request's id is the call's key. */
export function answerIn(part: object): Approval[] {
  const { state, toolCallId, approval } = part as Partial<AnsweredPart>;
  if (state !== "approval-responded" || toolCallId === undefined || !approval) return [];
  const call = { call_id: toolCallId, key: approval.id };
  return [approval.approved === true ? approved(call) : refused(call, approval.reason)];
}

/** Gives an answer with the id that a call has in its own run: in chunks, calls of agents have it after their caller's. */
export function ofItsRun(answer: Approval): Approval {
  return { ...answer, call_id: answer.call_id.slice(answer.call_id.lastIndexOf("/") + 1) };
}
