/** The forms in which a chat is streamed: the core's projection, and what a protocol has for a run that the client carries. */
import type { PurestepError } from "../errors.js";
import type { CarriedRun } from "./carried_run.js";

/** One of these, for one request. */
export interface ChatForm {
  /** The core's projection that makes the events. */
  readonly projection: "ag-ui" | "ai-sdk";
  readonly headers: Record<string, string>;
  /** The type of the event with which a stream begins. */
  readonly begin: string;
  /** The types of those that end one; given where a stream that goes on in the middle has to begin as each does. */
  readonly ends: readonly string[];
  /** What is sent after the last event. */
  readonly ending?: string;
  /** Gives an event as the client takes it that has asked. */
  shown(event: unknown): unknown;
  /** Gives the event that has the client keep a part of the run. */
  carry(part: CarriedRun): unknown;
  /** Gives what tells that the stream broke off: the log says nothing of it. */
  error(error: Pick<PurestepError, "code" | "message">): unknown;
}

/** `useChat` of the AI SDK: the run is in the metadata of the messages. */
export const AI_SDK: ChatForm = {
  projection: "ai-sdk",
  headers: { "x-vercel-ai-ui-message-stream": "v1" },
  begin: "start",
  ends: [],
  ending: "[DONE]",
  shown: (event) => event,
  carry: (purestep) => ({ type: "message-metadata", messageMetadata: { purestep } }),
  error: ({ message }) => ({ type: "error", errorText: message }),
};

/** What an AG-UI client has of a run before a request. */
export interface AgUiStanding {
  /** Whether its state is an object, and whether that has a run. */
  hasState: boolean;
  hasRun: boolean;
  /** The id of the message that the request asks. */
  asked: string | undefined;
  /** The client's ids of the thread and the run, by which it knows the events. */
  ids: { threadId?: string; runId?: string };
}

/** AG-UI: the run is in the member `purestep` of the shared state, beside what the client keeps there itself. */
export function agUi({ hasState, hasRun, asked, ids }: AgUiStanding): ChatForm {
  let isBegun = hasRun;
  return {
    projection: "ag-ui",
    headers: {},
    begin: "RUN_STARTED",
    ends: ["RUN_FINISHED", "RUN_ERROR"],
    shown: (event) => withIds(event, ids),
    carry: (part) => {
      const whole = { ...part, ...(asked !== undefined && { asked }) };
      const delta = isBegun ? added(whole) : [{ op: "add", path: "/purestep", value: whole }];
      const isFirst = !isBegun;
      isBegun = true;
      if (isFirst && !hasState) return { type: "STATE_SNAPSHOT", snapshot: { purestep: whole } };
      return { type: "STATE_DELTA", delta };
    },
    error: ({ code, message }) => ({ type: "RUN_ERROR", message, code }),
  };
}

/**
 * Gives an event with the client's ids, and the run's own in a member of their own.
 *
 * What the run was asked with is left out: the client has that, and would show it twice.
 */
function withIds(event: unknown, ids: AgUiStanding["ids"]): unknown {
  const { input: _, ...shown } = event as { input?: unknown; threadId?: string; runId?: string };
  const { threadId, runId } = shown;
  if (threadId === undefined && runId === undefined) return shown;
  const own = { ...(threadId !== undefined && { threadId }), ...(runId !== undefined && { runId }) };
  return { ...shown, ...ids, purestep: own };
}

/** Gives the operations of a JSON patch (RFC 6902) that add a part to the run; one that is there is replaced. */
function added({ log, ...others }: CarriedRun): unknown[] {
  const lines = Object.entries(log).map(([number, text]) => ["log/" + number, text]);
  return [...lines, ...Object.entries(others)].map(([name, value]) => ({
    op: "add",
    path: `/purestep/${name}`,
    value,
  }));
}
