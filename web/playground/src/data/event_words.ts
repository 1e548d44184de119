/** An event in words: its label, what it says in one line, and the tone it is shown in. */
import type { AgentPlace } from "../../../src/agent/ports.js";
import { parseVerbatim, writeExactly } from "../../../src/exact_numbers.js";
import type { Decision, Event } from "../../../src/generated/wire.js";
import { actLines } from "./act_words.js";
import { callText } from "./call_text.js";
import { checkName } from "./check_words.js";
import { contentText } from "./content_text.js";

/** Colour has one meaning each; `plain` is a fact, `made` is what the core derived. */
export type Tone = "plain" | "made" | "accepted" | "rejected" | "corrected" | "waiting" | "failed";

export interface Words {
  readonly label: string;
  readonly text: string;
  readonly tone: Tone;
}

/** names: of the agents, by the ids of the calls down to them; `ids`: of those down to the one whose event it is. */
export function eventWords(event: Event, names?: AgentNames, ids = ""): Words {
  switch (event.kind) {
    case "run_started":
      return { label: "Run started", text: event.run_id, tone: "plain" };
    case "user_message":
      return { label: "You asked", text: contentText(event.content), tone: "plain" };
    case "model_response":
      return { label: "Model said", text: saidText(event), tone: "plain" };
    case "tool_result":
      return event.ok === false
        ? { label: "Tool failed", text: `${event.tool_name}: ${event.error ?? ""}`, tone: "rejected" }
        : {
            label: "Tool returned",
            text: `${event.tool_name}: ${json(event.reference ?? event.output)}`,
            tone: "plain",
          };
    case "approval":
      return approvalWords(event, names?.get(`${ids}/${event.call_id}`));
    case "model_error":
      return { label: "Model failed", text: `${event.code}: ${event.message ?? ""}`, tone: "failed" };
    case "cancelled":
      return { label: "You stopped", text: event.reason ?? "", tone: "plain" };
    case "resumed":
      return { label: "Resumed", text: "calls that were running may have run", tone: "plain" };
    case "agent_changed":
      if (event.handed_to)
        return { label: "Handed over", text: `${event.handed_to} has the conversation from here on`, tone: "plain" };
      return { label: "Definition changed", text: `it is ${event.to_digest.slice(0, 12)} from here on`, tone: "plain" };
    case "tool_call":
      return { label: "Wants", text: `${callText(event.tool_name, event.arguments)}${changes(event)}`, tone: "made" };
    case "tool_pending":
      return { label: "Goes on elsewhere", text: `${event.tool_name}: ${event.note ?? event.handle}`, tone: "waiting" };
    case "approval_request":
      return { label: "Approval requested", text: `${event.tool_name}: ${askingWords(event)}`, tone: "waiting" };
    case "correction":
      return { label: "Correction", text: `${event.cause.replaceAll("_", " ")}: ${event.content}`, tone: "corrected" };
    case "verdict":
      return verdictWords(event);
    case "decided":
      if (event.content) return { label: "Model told", text: event.content, tone: "made" };
      return decidedWords(event);
    case "skill_started":
      return { label: "Skill", text: `${callText(event.skill, event.params)}${changes(event)}`, tone: "made" };
    case "skill_ended":
      return event.ok
        ? { label: "Skill gave", text: `${event.skill}: ${json(event.output)}`, tone: "accepted" }
        : { label: "Skill failed", text: `${event.skill}: ${event.error_kind}: ${event.error}`, tone: "rejected" };
    case "child":
      return belowWords(event, names, ids);
    case "child_ended":
      return event.ok
        ? { label: "Agent answered", text: `${event.agent}: ${json(event.output)}`, tone: "accepted" }
        : { label: "Agent failed", text: event.error ?? event.agent, tone: "rejected" };
    case "switched":
      return { label: "Switched", text: switchWords(event), tone: "made" };
    case "final_answer":
      return {
        label: "Answer",
        text: `${event.content}${citing(event)}${changes(event)}${actLines(event)}`,
        tone: "accepted",
      };
    case "run_failed":
      if (event.code === "cancelled") return { label: "Run ended", text: actLines(event).trimStart(), tone: "made" };
      return { label: "Run failed", text: `${event.code}: ${event.message}${actLines(event)}`, tone: "failed" };
  }
}

/** A line of the run of an agent that was called, after the agent's name, or the id of its call. */
function belowWords(
  { call_id, line }: Extract<Event, { kind: "child" }>,
  names: AgentNames = new Map(),
  ids: string,
): Words {
  const at = `${ids}/${call_id}`;
  const inner = line as Event;
  const words = eventWords(inner, names, at);
  if (inner.kind === "run_started") return { ...words, text: names.get(at) ?? call_id };
  const label = inner.kind === "user_message" ? "Agent asked" : words.label;
  const mark = inner.kind === "child" ? " > " : ": ";
  return { ...words, label, text: `${names.get(at) ?? call_id}${mark}${words.text}` };
}

/** The names of agents, by the ids of the calls down to them. */
export type AgentNames = ReadonlyMap<string, string>;

/** Gives the names of the agents that were called in these events; of tools too, which have no events of their own. */
export function agentNames(events: readonly Event[]): AgentNames {
  const names = new Map<string, string>();
  for (const event of events) {
    let ids = "";
    let inner = event;
    for (; inner.kind === "child"; inner = inner.line as Event) ids += `/${inner.call_id}`;
    if (inner.kind === "tool_call") names.set(`${ids}/${inner.call_id}`, inner.tool_name);
  }
  return names;
}

/** What the model said, without the form of this page's two dialects; in another form as it came. */
function saidText({ content, tool_calls }: Extract<Event, { kind: "model_response" }>): string {
  if (!content) return json(tool_calls);
  try {
    const said = parseVerbatim(content) as Readonly<Record<string, unknown>>;
    const form = FORMS[String(said["kind"] ?? Object.keys(said).join())];
    const [words, params] = form ? form.map((member) => said[member]) : [];
    if (typeof words === "string" && form?.length === 1) return words;
    if (typeof words === "string" && isObject(params)) return callText(words, params);
  } catch {
    // Words, or calls in another form.
  }
  return content;
}

/** Where a reply has its words, or its tool and arguments: by its kind, or by its members where it has none. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  final: ["content"],
  tool_call: ["tool_name", "arguments"],
  answer: ["answer"],
  ask: ["ask"],
  "tool,args": ["tool", "args"],
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands for a part of a request that has no name there. */
const PARTS: Readonly<Record<string, string>> = {
  system_role: "a system message",
  tool_schemas: "the finer rules for arguments",
};
const INSTEAD: Readonly<Record<string, string>> = {
  user: "it stands in the user's",
  plain: "they are checked here",
  tool_tags: "calls stand in the text",
};

/** Why a person is asked, in words, as the command says it: the question itself, where there is one. */
export function askingWords({ reason, note }: { reason: string; note?: string | undefined }): string {
  return note || (ASKING_WORDS.get(reason) ?? reason);
}

const ASKING_WORDS: ReadonlyMap<string, string> = new Map([
  ["outcome_unknown", "it may have run already: the run was stopped before its result came"],
  ["same_effect", "the same call has been made for this question already"],
]);

function switchWords({ what, cause, to, shortened = 0, dropped = 0, tokens = 0 }: Switched): string {
  if (what === "model") return `to ${to} (${cause})`;
  if (what === "request") {
    const instead = to ? `; instead: ${INSTEAD[to] ?? to}` : "";
    return `asked without ${PARTS[cause] ?? cause}, which the server does not take${instead}`;
  }
  const move = MOVE_WORDS.get(what);
  if (move !== undefined) return `${move}${to ? ` ${to}` : ""} (${cause.replaceAll("_", " ")})`;
  if (what === "summary" && dropped > 0) return `the model is asked to sum up ${dropped} messages`;
  if (what === "summary") return `a summary of up to ${tokens} tokens stands in their place`;
  if (what === "spans") return `${dropped} characters of a long text cannot be copied into arguments`;
  if (what === "no_summary") return `no summary: ${cause}`;
  if (what === "plan")
    return cause === "written"
      ? `${to} is asked step by step`
      : `${to} is asked for steps (${cause.replaceAll("_", " ")})`;
  if (what === "no_plan") return `no plan: ${cause}; ${to} goes on`;
  return `shorter prompt: ${shortened} outputs cut, ${dropped} messages left out, up to ${tokens} tokens remain (${cause})`;
}

const MOVE_WORDS: ReadonlyMap<string, string> = new Map([
  ["dialect", "to the dialect"],
  ["carry", "to the carry level"],
  ["examples", "to corrections with an example"],
]);

type Switched = Extract<Event, { kind: "switched" }>;
/** What the core decided without asking the model, by its reason. */
export const DECIDED_WORDS: ReadonlyMap<string, string> = new Map([
  ["one_call", "the only call that the definition leaves"],
  ["steered", "the model is told what you said meanwhile"],
]);

function decidedWords(event: Extract<Event, { kind: "decided" }>): Words {
  const { reason, tools = [], attempt, wait_ms } = event;
  if (reason === "retry") return { label: "Tried again", text: retryWords(attempt, wait_ms), tone: "made" };
  if (reason === "scored")
    return { label: "Scored", text: `the model's scores chose ${tools.join() || "no tool"}`, tone: "made" };
  if (reason === "step") return { label: "Step", text: `${attempt}. ${event.content ?? ""}`, tone: "made" };
  if (reason === "rates") return { label: "Model", text: chosenWords(event), tone: "made" };
  const text = DECIDED_WORDS.get(reason) ?? reason.replaceAll("_", " ");
  return { label: "Decided", text: [text, ...tools].join(", "), tone: "made" };
}

function chosenWords({ model = "", rates = [] }: Extract<Event, { kind: "decided" }>): string {
  const known = rates.map((rate) => `${rate.model} ${rate.succeeded} of ${rate.runs}`);
  return `${model} is asked; such requests succeeded: ${known.join(", ")}`;
}

function retryWords(attempt = 0, waitMs = 0): string {
  return `the model is asked again in ${(waitMs / 1000).toFixed(1)} s (${attempt})`;
}

/** What the core changed in the arguments or the answer before they fitted. */
function changes(event: Extract<Event, { kind: "tool_call" | "skill_started" | "final_answer" }>): string {
  return (event.problems ?? []).map(({ code, message }) => `\n${code}: ${message}`).join("");
}

/** The calls that an answer cites, each once. */
function citing({ citations = [] }: Extract<Event, { kind: "final_answer" }>): string {
  return citations.length === 0 ? "" : `\nrests on ${[...new Set(citations.map(({ call_id }) => call_id))].join(", ")}`;
}

function approvalWords(event: Extract<Event, { kind: "approval" }>, tool = event.call_id): Words {
  const text = [tool, event.params && "with edited arguments", event.reason].filter(Boolean).join(", ");
  return event.approved ? { label: "Approved", text, tone: "accepted" } : { label: "Refused", text, tone: "rejected" };
}

function verdictWords(event: Extract<Event, { kind: "verdict" }>): Words {
  const rejected = event.verdict !== "accept";
  const text = [event.reason, event.check && checkName(event.check)].filter(Boolean).join(", ") || "every check passed";
  return { label: rejected ? "Rejected" : "Accepted", text, tone: rejected ? "rejected" : "accepted" };
}

/** What the core asks its host to do, in words, after the names of the agents down to the one that asks. */
export function decisionWords(decision: Decision): Words {
  const words = ownDecisionWords(decision);
  const { path = [] } = decision as AgentPlace;
  return path.length > 0 ? { ...words, text: `${path.join(" > ")}: ${words.text}` } : words;
}

function ownDecisionWords(decision: Decision): Words {
  switch (decision.type) {
    case "call_model":
      return {
        label: "Ask the model",
        text: reasonWords(decision.reason, decision.skill ?? decision.cause),
        tone: "made",
      };
    case "invoke_tool":
      return { label: "Run", text: decision.calls.map((call) => call.tool).join(", "), tone: "made" };
    case "invoke_skill":
      return { label: "Execute a skill", text: decision.skill, tone: "made" };
    case "request_approval":
      return { label: "Ask a person", text: decision.calls.map((call) => call.tool).join(", "), tone: "waiting" };
    case "done":
      return { label: "Done", text: decision.answer, tone: "accepted" };
    case "failed":
      if (decision.code === "cancelled") return { label: "Stopped", text: "", tone: "made" };
      return { label: "Failed", text: decision.code, tone: "failed" };
  }
}

function reasonWords(reason: string, cause: string | undefined): string {
  const words = cause ? `${reason}: ${cause}` : reason;
  return words.replaceAll("_", " ");
}

function json(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? value : writeExactly(value);
}
