/**
 * What an interface shows of a run: one immutable value, made anew by each event.
 *
 * `subscribe` and `read` are what React's `useSyncExternalStore` and the stores of other libraries take.
 */
import { PurestepError } from "../errors.js";
import type { Approval } from "../generated/wire.js";
import { actsOf, type ToldActs } from "./acts.js";
import type { AgentEvent, RunEnded, RunStatus } from "./events.js";
import type { AgentPlace, AskedCall } from "./ports.js";
import { NO_USAGE, type RunUsage } from "./usage.js";
import { toldSafely } from "./watchers.js";

/** What a user said. */
export interface UserItem {
  readonly type: "user";
  readonly text: string;
}

/** What the model says: while `isOpen`, more may come, or it may be removed. */
export interface AnswerItem extends ToldActs {
  readonly type: "answer";
  readonly text: string;
  readonly isOpen: boolean;
  /** It asks the user for something; the next question goes on from there. */
  readonly question?: boolean;
  /** The answer as data, where the definition has an `answer_schema`. */
  readonly data?: unknown;
}

/** A call, from the question whether it may run to its result; with a `path` of an agent that the run calls. */
export interface CallItem extends AgentPlace {
  readonly type: "call";
  readonly call_id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The arguments with all their digits, to show. */
  readonly params_json: string;
  readonly status: "asked" | "approved" | "refused" | "running" | "done" | "failed";
  readonly output?: unknown;
  readonly error?: string | null;
}

/** Why an exchange ended without an answer. */
export interface FailureItem extends ToldActs {
  readonly type: "failure";
  readonly code: string;
  readonly message: string;
}

export type ChatItem = UserItem | AnswerItem | CallItem | FailureItem;

/** What there is to show of a run at one moment. */
export interface AgentSnapshot {
  readonly status: "idle" | "running" | RunStatus;
  /** In the order in which they came. */
  readonly items: readonly ChatItem[];
  /** The calls that wait for a person. */
  readonly approvals: readonly AskedCall[];
  readonly usage: RunUsage;
}

/** What there is to show before anything was said. */
export const IDLE: AgentSnapshot = { status: "idle", items: [], approvals: [], usage: NO_USAGE };

/** Keeps the snapshot of one run. */
export class SnapshotStore {
  #now = IDLE;
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` after each change; gives what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Gives the same object until something changes. */
  read(): AgentSnapshot {
    return this.#now;
  }

  /** An exchange begins, with a message of the user or without. */
  begin(query: string | undefined): void {
    const said: ChatItem[] = query === undefined ? [] : [{ type: "user", text: query }];
    this.#change({ status: "running", items: [...this.#now.items, ...said] });
  }

  /** What the run has used so far. */
  used(usage: RunUsage): void {
    this.#change({ usage });
  }

  /** A person has answered. */
  answered(approvals: readonly Approval[]): void {
    let { items } = this.#now;
    const asked = new Map(this.#now.approvals.map((call) => [call.key, call]));
    for (const { call_id, key, approved } of approvals)
      items = withCall(items, asked.get(key) ?? { call_id }, { status: approved ? "approved" : "refused" });
    const answered = new Set(approvals.map(({ key }) => key));
    this.#change({ items, approvals: this.#now.approvals.filter(({ key }) => !answered.has(key)) });
  }

  /** What is wrong with the program ended the exchange; a run that waits for a person still does. */
  broken(error: unknown): void {
    const status = this.#now.approvals.length > 0 ? "waiting" : "failed";
    this.#change({ status, items: [...closed(this.#now.items), { type: "failure", ...failureOf(error) }] });
  }

  take(event: AgentEvent): void {
    this.#change(changes(this.#now, event));
  }

  #change(members: Partial<AgentSnapshot>): void {
    this.#now = { ...this.#now, ...members };
    for (const listener of [...this.#listeners]) toldSafely(listener, listener);
  }
}

/** Gives what was thrown as a code and a message; `host_error` for what is none of the core's. */
export function failureOf(error: unknown): { code: string; message: string } {
  const code = error instanceof PurestepError ? error.code : "host_error";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

function changes({ items }: AgentSnapshot, event: AgentEvent): Partial<AgentSnapshot> {
  if ((event.type === "text" || event.type === "retract") && event.path) return {}; // it comes as the result of a call
  switch (event.type) {
    case "text":
      return { items: withText(items, event.text) };
    case "retract":
      return { items: closed(items) };
    case "reasoning":
      return {}; // no part of the conversation
    case "call": {
      const { type: _type, ...call } = event;
      return { items: withCall(closed(items), call, { ...call, status: "running" }) };
    }
    case "result": {
      const { ok, output, error } = event;
      return { items: withCall(items, event, { status: ok ? "done" : "failed", output, error: error ?? null }) };
    }
    case "approval":
      return { items: event.calls.reduce(withAsked, items), approvals: event.calls };
    case "done":
      return { status: event.status, items: ended(items, event), ...(event.status !== "waiting" && { approvals: [] }) };
  }
}

/** Gives the items with a piece more of the answer that is being written. */
function withText(items: readonly ChatItem[], text: string): ChatItem[] {
  const last = items.at(-1);
  if (last?.type !== "answer" || !last.isOpen) return [...items, { type: "answer", text, isOpen: true }];
  return [...items.slice(0, -1), { ...last, text: last.text + text }];
}

/** Gives the items without the text that was no answer. */
function closed(items: readonly ChatItem[]): readonly ChatItem[] {
  const last = items.at(-1);
  return last?.type === "answer" && last.isOpen ? items.slice(0, -1) : items;
}

function withAsked(items: readonly ChatItem[], call: AskedCall): readonly ChatItem[] {
  const { call_id, tool, params, params_json, path, run_id } = call;
  const place = { ...(path && { path }), ...(run_id !== undefined && { run_id }) };
  return withCall(closed(items), call, { call_id, tool, params, params_json, ...place, status: "asked" });
}

/** Gives the items with new members of a call of this exchange, or with the call, if there is none of this id. */
function withCall(
  items: readonly ChatItem[],
  { call_id, run_id }: Pick<CallItem, "call_id" | "run_id">,
  members: Partial<CallItem>,
): readonly ChatItem[] {
  const at = items.findLastIndex((item) => item.type === "call" && item.call_id === call_id && item.run_id === run_id);
  if (at >= 0) return items.with(at, { ...(items[at] as CallItem), ...members });
  return "tool" in members ? [...items, { type: "call", ...members } as CallItem] : items;
}

function ended(items: readonly ChatItem[], event: RunEnded): readonly ChatItem[] {
  const { status, answer, question, data, code, message } = event;
  const rest = closed(items);
  if (status === "waiting") return rest;
  if (status === "failed")
    return [...rest, { type: "failure", code: code ?? "", message: message ?? "", ...actsOf(event) }];
  const found = { ...(question && { question }), ...(data !== undefined && { data }) };
  return [...rest, { type: "answer", text: answer ?? "", isOpen: false, ...found, ...actsOf(event) }];
}
