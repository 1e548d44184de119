/**
 * Steps and branches: what the page keeps of a run.
 *
 * A step is the log lines of one observation and what the core derived from it. A branch is a list of steps; a fork
 * starts with the steps of its parent, so the log of each branch verifies by itself.
 */
import { parseVerbatim, writeExactly } from "../../../src/exact_numbers.js";
import type { OpenDecision, TreeStep } from "../../../src/agent/ports.js";
import type { AgentChangedEvent, AgentDefinition, Event, Message } from "../../../src/generated/wire.js";
import { contentText, wordsOf } from "./content_text.js";

export interface LogLine {
  /** The exact bytes as text, without the newline. */
  readonly text: string;
  readonly event: Event;
}

export interface Step {
  readonly lines: readonly LogLine[];
  /** What the model wrote for itself before, as it was shown; a log that is opened has it in the raw output only. */
  readonly reasoning?: string;
}

/** The state, transcripts and decisions after a step; the state is the core's text. */
export interface DerivedStep extends OpenDecision, TreeStep {
  readonly state: string;
  readonly messages: readonly Message[];
}

export interface Branch {
  readonly id: string;
  readonly name: string;
  /** The branch it was forked from, and how many of its steps it shares. */
  readonly parent?: { readonly branch: string; readonly steps: number };
  readonly steps: readonly Step[];
}

export interface ForkOrigin {
  /** The name of the log file, or the first question. */
  readonly name: string;
  readonly steps: number;
  /** Whether the steps came from a file: its calls and approvals are not those of this user. */
  readonly isForeign: boolean;
}

export interface Session {
  readonly id: string;
  readonly run_id: string;
  readonly created: number;
  /** The definition that the run began with, as the text that was edited; null for the bare form. */
  readonly definition: string | null;
  /** The text that was edited, where the page has added a carry level to it. */
  readonly edited?: string;
  /** What is said in the model's place to the first question; later ones go to the model that is chosen. */
  readonly script?: readonly string[];
  /** The name of the log file that it is: it is looked at, and gone on with as a fork. */
  readonly opened?: string;
  /** The run that it was forked from, and how many steps it shares with it. */
  readonly fork?: ForkOrigin;
  readonly branches: readonly Branch[];
  readonly active: string;
}

/** Gives an id for a new run, which also keeps its keys apart from those of every other. */
export function newRunId(): string {
  return `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}-${crypto.randomUUID().slice(0, 6)}`;
}

export function readLines(text: string): LogLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ text: line, event: parseVerbatim(line) as Event }));
}

export function logText(steps: readonly Step[]): string {
  return steps.flatMap((step) => step.lines.map((line) => `${line.text}\n`)).join("");
}

const FACTS = new Set<Event["kind"]>([
  "run_started",
  "user_message",
  "model_response",
  "tool_result",
  "tool_pending",
  "approval",
  "model_error",
  "cancelled",
  "resumed",
  "agent_changed",
]);

/** Facts that one observation may bring several of. */
const SEVERAL = new Set<Event["kind"]>(["tool_result", "approval"]);

export function isFact(event: Event): boolean {
  if (event.kind === "child" || event.kind === "agent_changed") return event.prev === undefined;
  return FACTS.has(event.kind);
}

/** Gives an event of the run, or of an agent that was called, whose line stands in a line of its caller's. */
export function innermost(event: Event): Event {
  return event.kind === "child" ? innermost(event.line as Event) : event;
}

/** Groups the lines of a foreign log into steps: a fact starts one, unless it came with the fact before it. */
export function groupSteps(lines: readonly LogLine[]): Step[] {
  const steps: LogLine[][] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    if (before && (!isFact(line.event) || cameTogether(before.event, line.event))) steps.at(-1)!.push(line);
    else steps.push([line]);
  });
  return steps.map((grouped) => ({ lines: grouped }));
}

function cameTogether(before: Event, event: Event): boolean {
  if (before.kind === "run_started") return event.kind === "user_message";
  if (before.kind === "child" && event.kind === "child" && before.call_id === event.call_id)
    return cameTogether(before.line as Event, event.line as Event);
  return before.kind === event.kind && SEVERAL.has(event.kind);
}

export function modelOutputs(steps: readonly Step[]): number {
  const lines = steps.flatMap((step) => step.lines);
  return lines.filter((line) => innermost(line.event).kind === "model_response").length;
}

/** How many questions the steps hold. */
export function questions(steps: readonly Step[]): number {
  return steps.flatMap((step) => step.lines).filter((line) => line.event.kind === "user_message").length;
}

/** What the person asked first: a session is listed under it. */
export function titleOf(steps: readonly Step[]): string {
  const first = steps[0]?.lines.find((line) => line.event.kind === "user_message")?.event;
  return first?.kind === "user_message"
    ? wordsOf(first.content) || contentText(first.content)
    : "A run without a question";
}

export function headOf(state: string): string {
  return (JSON.parse(state) as { head: string }).head;
}

export function activeBranch(session: Session): Branch {
  return session.branches.find((branch) => branch.id === session.active) ?? session.branches[0]!;
}

/** Gives the session of a log that begins with run_started, with one branch. */
export function sessionOfLog(text: string, rest: Pick<Session, "id" | "opened" | "edited" | "fork">): Session {
  const lines = readLines(text);
  const began = lines[0]!.event;
  if (began.kind !== "run_started") throw new Error("expected a log that begins with run_started");
  // A hand-off is no other definition of the host's.
  const changed = lines
    .map(({ event }) => event)
    .findLast((event): event is AgentChangedEvent => event.kind === "agent_changed" && !event.prev);
  const definition = changed?.agent ?? began.agent;
  const first: Branch = { id: "b1", name: "Branch 1", steps: groupSteps(lines) };
  return {
    ...rest,
    run_id: began.run_id,
    created: Date.now(),
    definition: definition === null ? null : writeExactly(definition),
    branches: [first],
    active: first.id,
  };
}

export function withBranch(session: Session, branch: Branch): Session {
  const known = session.branches.some((other) => other.id === branch.id);
  const branches = known
    ? session.branches.map((other) => (other.id === branch.id ? branch : other))
    : [...session.branches, branch];
  return { ...session, branches };
}

/** Gives the branch that begins with the first steps of another. */
export function forked(session: Session, parent: Branch, steps: number): Branch {
  const number = session.branches.length + 1;
  return {
    id: `b${number}`,
    name: `Branch ${number}`,
    parent: { branch: parent.id, steps },
    steps: parent.steps.slice(0, steps),
  };
}

/** Gives the definition that the page looks tools up in; the bare form knows none. */
export function parsedDefinition(text: string | null): AgentDefinition {
  return JSON.parse(text ?? "{}") as AgentDefinition;
}
