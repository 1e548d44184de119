/** A run's log as what is shown of it: its lines in order, and its calls with what became of each. */
import type { CallItem } from "../src/agent/snapshot.js";
import { parseVerbatim, writeExactly } from "../src/exact_numbers.js";

export interface Line {
  readonly seq: number;
  readonly at: number | undefined;
  readonly kind: string;
  /** Names and codes of the line, or what a person or a model said: text of others, never markup. */
  readonly words: string;
}

export interface Steps {
  readonly lines: Line[];
  readonly calls: CallItem[];
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a line that say in one line what it is about, the first that is there. */
const SAID = ["content", "tool_name", "skill", "cause", "verdict", "code", "message", "reason", "what", "model"];
const SHOWN_CHARS = 400;

/** Reads a log; a line that is cut off is left out. Those of agents' runs, and their calls, have the agents' names. */
export function stepsOf(log: string): Steps {
  const lines: Line[] = [];
  const calls = new Map<string, CallItem>();
  const places = new Map<string, string>();
  for (const text of log.split("\n")) {
    const line = membersOf(text);
    if (line === undefined) continue;
    const { inner, ids } = innermost(line);
    const before = places.get(ids) ?? "";
    const id = ids + textOf(inner["call_id"]);
    lines.push({
      seq: numberOf(line["seq"]) ?? lines.length,
      at: numberOf(inner["at"]) ?? numberOf(line["at"]),
      kind: before + textOf(inner["kind"]),
      words: wordsOf(inner, calls.get(id)?.tool.slice(before.length)),
    });
    take(calls, inner, id, before);
    places.set(`${id}/`, `${calls.get(id)?.tool ?? id} > `);
  }
  return { lines, calls: [...calls.values()] };
}

/** The line of the run that a line is of, and the ids of the calls down to that run, each before a slash. */
function innermost(line: Members): { inner: Members; ids: string } {
  let inner = line;
  let ids = "";
  while (inner["kind"] === "child" && typeof inner["line"] === "object" && inner["line"] !== null) {
    ids += `${textOf(inner["call_id"])}/`;
    inner = inner["line"] as Members;
  }
  return { inner, ids };
}

function membersOf(text: string): Members | undefined {
  try {
    const found = parseVerbatim(text);
    return typeof found === "object" && found !== null ? (found as Members) : undefined;
  } catch {
    return undefined;
  }
}

/** Takes what a line says of the call with an id; before: the names of the agents down to the one that made it. */
function take(calls: Map<string, CallItem>, line: Members, id: string, before: string): void {
  const call = calls.get(id);
  const become = (more: Partial<CallItem>): void => {
    if (call !== undefined) calls.set(id, { ...call, ...more });
  };
  switch (line["kind"]) {
    case "tool_call":
      calls.set(id, newCall(id, before + textOf(line["tool_name"]), line["arguments"]));
      break;
    case "skill_started":
      calls.set(id, newCall(id, before + textOf(line["skill"]), line["params"]));
      break;
    case "approval_request":
      become({ status: "asked" });
      break;
    case "approval":
      become(line["approved"] === true ? edited(line["params"]) : { status: "refused" });
      break;
    case "tool_result":
    case "skill_ended":
    case "child_ended":
      if (line["asks"]) break; // it goes on once a person has answered
      become(
        line["ok"] === true
          ? { status: "done", output: line["output"] }
          : { status: "failed", error: textOf(line["error"]) },
      );
      break;
    case "verdict":
      if (line["verdict"] === "reject") become({ status: "failed", error: textOf(line["reason"]) });
      break;
  }
}

function newCall(call_id: string, tool: string, params: unknown): CallItem {
  const given = (params ?? {}) as Members;
  return { type: "call", call_id, tool, params: given, params_json: writeExactly(given), status: "running" };
}

function edited(params: unknown): Partial<CallItem> {
  return params
    ? { status: "running", params: params as Members, params_json: writeExactly(params) }
    : { status: "running" };
}

/** What a line is about; tool: the name of the one that its call calls, which some lines do not have. */
function wordsOf(line: Members, tool = ""): string {
  if (line["kind"] === "approval") {
    const answer = line["approved"] === true ? "approved" : "refused";
    return [tool, `${answer}${line["by"] ? ` by ${textOf(line["by"])}` : ""}`, cut(textOf(line["reason"]))]
      .filter(Boolean)
      .join(", ");
  }
  if (line["kind"] === "child_ended") return tool;
  const name = SAID.find((each) => line[each] !== undefined && line[each] !== null && line[each] !== "");
  if (name === undefined) return "";
  const value = line[name];
  return cut(typeof value === "string" ? value : writeExactly(value));
}

function cut(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  const found = Number(value === undefined ? Number.NaN : String(value));
  return Number.isFinite(found) ? found : undefined;
}
