/**
 * What `useChat` of the AI SDK sends, as a request of a run: its last message, or the answers about calls in it.
 *
 * The run is in the messages themselves: each answer of the agent's carries the lines of the log that are its own, and
 * a seal, in its metadata. What the messages show is not read, so a client cannot change by it what was said.
 * Source: the AI SDK's `DefaultChatTransport`, version 6.
 */
import { answerIn, textOf } from "../ai_sdk/chat_parts.js";
import { PurestepError } from "../errors.js";
import { membersOf } from "./json_members.js";
import { readMembers, type RunRequest } from "./run_request.js";

/** The member of a message's metadata that carries a part of the run; useChat merges those of one message. */
export interface CarriedRun {
  /** Lines of the log, by the number of the first of them: so they stay in order where they are merged. */
  log: Record<string, string>;
  /** That of the last of these lines; left out by a service that is unsigned. */
  seal?: string;
}

interface ChatMessage {
  role: string;
  parts: readonly object[];
  carried: CarriedRun | undefined;
}

const LINE_NUMBER = /^[1-9][0-9]{0,8}$/;

/** Reads the body of a request of a chat. Throws PurestepError for an invalid one. */
export function readChatRequest(body: string): RunRequest {
  const members = membersOf(body);
  const messages = messagesIn(JSON.parse(members.get("messages") ?? "null"));
  const last = messages.at(-1);
  if (!last) throw wrong("messages", "expected at least one message");
  const passedOn = last.role === "user" ? ["agent", "tool_choice"] : ["agent"]; // the choice is for a query
  const given = new Map([...members].filter(([name]) => passedOn.includes(name)));
  for (const [name, value] of [...runIn(messages), ...askedIn(last)]) given.set(name, JSON.stringify(value));
  return readMembers(given);
}

function messagesIn(value: unknown): ChatMessage[] {
  if (!Array.isArray(value)) throw wrong("messages", "expected the messages of a chat");
  return value.map((message: unknown, at) => {
    const { role, parts, metadata } = (message ?? {}) as Record<string, unknown>;
    if (typeof role !== "string" || !Array.isArray(parts) || !parts.every(isObject))
      throw wrong(`messages/${at}`, "expected a message with role and parts");
    const carried = isObject(metadata) ? (metadata as { purestep?: unknown }).purestep : undefined;
    if (role !== "assistant" || carried === undefined) return { role, parts, carried: undefined };
    if (!isCarried(carried)) throw wrong(`messages/${at}/metadata/purestep`, "expected it as the service gave it");
    return { role, parts, carried };
  });
}

function isCarried(value: unknown): value is CarriedRun {
  if (!isObject(value)) return false;
  const { log, seal } = value as Partial<CarriedRun>;
  if (!isObject(log) || (seal !== undefined && typeof seal !== "string")) return false;
  return Object.entries(log).every(([number, lines]) => LINE_NUMBER.test(number) && typeof lines === "string");
}

/** Gives the log and the seal that the messages carry. */
function runIn(messages: readonly ChatMessage[]): [string, string][] {
  const carried = messages.flatMap((message) => message.carried ?? []);
  const log = carried.flatMap((part) => Object.values(part.log)).join(""); // whole numbers as names come in their order
  const { seal } = carried.at(-1) ?? {};
  return Object.entries({ log, seal }).filter((entry): entry is [string, string] => Boolean(entry[1]));
}

/** Gives what the last message asks: a query of the user's, answers about calls, or nothing but to go on. */
function askedIn({ role, parts }: ChatMessage): [string, unknown][] {
  if (role !== "user") {
    const answers = parts.flatMap(answerIn);
    return answers.length > 0 ? [["approvals", answers]] : [];
  }
  if (parts.some((part) => (part as { type?: unknown }).type === "file"))
    throw new PurestepError("unsupported", "expected text; this service takes no files", "/messages");
  const query = textOf(parts);
  if (query.trim() === "") throw wrong("messages", "expected a message with words in it");
  return [["query", query]];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(name: string, message: string): PurestepError {
  return new PurestepError("invalid_input", message, `/${name}`);
}
