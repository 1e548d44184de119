"use client"; // for frameworks that render on a server: the hook runs where the state is
/** The React hook `useAgent`: what there is to show of an agent's run, and what a person can do. */
import { useMemo, useSyncExternalStore } from "react";
import type { Agent, AskOptions, StreamOptions } from "../agent/agent.js";
import { type AnsweredCall, approved, refused } from "../agent/approving.js";
import type { RunEnded } from "../agent/events.js";
import { type AgentSnapshot, failureOf, IDLE } from "../agent/snapshot.js";
import type { Approval } from "../generated/wire.js";

/** What a person can do; each gives how the exchange ended, and never rejects: what is wrong is a failed end. */
export interface AgentActions {
  /** Sends a message. */
  send(query: string, options?: AskOptions): Promise<RunEnded>;
  /** Approves a call that waits, with `params` under other arguments. */
  approve(call: AnsweredCall, options?: { params?: Record<string, unknown>; by?: string }): Promise<RunEnded>;
  /** Refuses a call that waits; the model reads the reason. */
  refuse(call: AnsweredCall, reason?: string, options?: { by?: string }): Promise<RunEnded>;
  /** Answers about several calls at once. */
  answer(approvals: readonly Approval[]): Promise<RunEnded>;
  /** Stops the run. */
  stop(): void;
}

/** What there is to show of an agent, and what a person can do. */
export type AgentView = AgentSnapshot & AgentActions;

/**
 * Gives the snapshot of an agent, and renders again when it changes; `undefined` stands for an agent that still loads.
 *
 * The agent must not have the port `approve`: without it a run waits until `approve` or `refuse` is called here.
 */
export function useAgent(agent: Agent | undefined): AgentView {
  const getSnapshot = agent?.getSnapshot ?? idle;
  const snapshot = useSyncExternalStore(agent?.subscribe ?? subscribeToNothing, getSnapshot, getSnapshot);
  const actions = useMemo(() => actionsOf(agent), [agent]);
  return useMemo(() => ({ ...snapshot, ...actions }), [snapshot, actions]);
}

const NOT_LOADED: RunEnded = {
  type: "done",
  status: "failed",
  code: "not_loaded",
  message: "expected an agent; it still loads",
};

function actionsOf(agent: Agent | undefined): AgentActions {
  const end = async (query: string | undefined, options: StreamOptions = {}): Promise<RunEnded> => {
    if (!agent) return NOT_LOADED;
    try {
      return await (query === undefined ? agent.stream(options) : agent.stream(query, options)).result;
    } catch (error) {
      return { type: "done", status: "failed", ...failureOf(error) };
    }
  };
  return {
    send: end,
    approve: (call, options) => end(undefined, { approvals: [approved(call, options)] }),
    refuse: (call, reason, options) => end(undefined, { approvals: [refused(call, reason, options)] }),
    answer: (approvals) => end(undefined, { approvals }),
    stop: () => agent?.cancel(),
  };
}

function idle(): AgentSnapshot {
  return IDLE;
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
