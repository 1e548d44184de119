/** What a person has decided about a call that waits for approval, as the observation that the core is sent. */
import type { AskedCall } from "../../../src/agent/ports.js";
import { parseVerbatim, writeExactly } from "../../../src/exact_numbers.js";
import type { Approval } from "../../../src/generated/wire.js";
import { sanitizedJson } from "../../../src/sanitize.js";
import { laidOut } from "./json_layout.js";

/** Gives the arguments as they are shown and edited: the core's digits, and no character that cannot be seen. */
export function shownArguments(call: AskedCall): string {
  return sanitizedJson(laidOut(call.params_json));
}

/** Tells whether a draft says other arguments than the call; blanks between them say nothing. */
export function isEdited(call: AskedCall, draft: string): boolean {
  try {
    return writeExactly(parseVerbatim(draft)) !== writeExactly(parseVerbatim(call.params_json));
  } catch {
    return true; // it is no JSON, which the core says where it is approved
  }
}

export function approval(call: AskedCall, draft: string): Approval {
  // Every digit of an edit is sent as it stands, also those that JavaScript's numbers do not hold.
  const params = isEdited(call, draft) ? { params: parseVerbatim(draft) as Record<string, unknown> } : {};
  return { ...answerTo(call), approved: true, ...params };
}

export function refusal(call: AskedCall, reason: string): Approval {
  return { ...answerTo(call), approved: false, ...(reason !== "" && { reason }) };
}

function answerTo({ call_id, key }: AskedCall) {
  return { call_id, key, by: "the page's user" };
}
