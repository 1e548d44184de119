/**
 * What `useChat` of the AI SDK sends, as a request of a run: its last message, or the answers about calls in it.
 *
 * The run is in the messages themselves: each answer of the agent's carries the lines of the log that are its own, and
 * a seal, in its metadata. What the messages show is not read, so a client cannot change by it what was said; of earlier
 * messages of the user's, the bytes of files are taken, which the log names by their digest.
 * Source: the AI SDK's `DefaultChatTransport`, version 6.
 */
import { answerIn, ofItsRun, textOf } from "../ai_sdk/chat_parts.js";
import { PurestepError } from "../errors.js";
import { type CarriedRun, carriedMembers, isCarried, isObject } from "./carried_run.js";
import { membersOf } from "./json_members.js";
import { readMembers, type RunRequest } from "./run_request.js";
import { fileOfPart, isFilePart, readable } from "./sent_files.js";

interface ChatMessage {
  role: string;
  parts: readonly object[];
  carried: CarriedRun | undefined;
}

/** Reads the body of a request of a chat. Throws PurestepError for an invalid one. */
export function readChatRequest(body: string): RunRequest {
  const members = membersOf(body);
  const messages = messagesIn(JSON.parse(members.get("messages") ?? "null"));
  const last = messages.at(-1);
  if (!last) throw wrong("messages", "expected at least one message");
  if (last.role !== "user" && !messages.some(({ carried }) => carried))
    throw wrong("messages", "expected a message of the user's as the last one, or one with its metadata of a run");
  const passedOn = last.role === "user" ? ["agent", "tool_choice"] : ["agent"]; // the choice is for a query
  const given = new Map([...members].filter(([name]) => passedOn.includes(name)));
  const run = carriedMembers(messages.flatMap((message) => message.carried ?? []));
  for (const [name, value] of [...run, ...askedIn(last)]) given.set(name, JSON.stringify(value));
  const files = last.role === "user" ? last.parts.filter(isFilePart).map(fileOfPart) : [];
  const all = messages.flatMap(({ role, parts }) => (role === "user" ? parts.filter(isFilePart) : []));
  return { ...readMembers(given), files, files_before: () => readable(all, fileOfPart) };
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

/** Gives what the last message asks: a query of the user's, answers about calls, or nothing but to go on. */
function askedIn({ role, parts }: ChatMessage): [string, unknown][] {
  if (role !== "user") {
    const answers = parts.flatMap(answerIn).map(ofItsRun);
    return answers.length > 0 ? [["approvals", answers]] : [];
  }
  const query = textOf(parts);
  if (query.trim() === "" && !parts.some(isFilePart)) throw wrong("messages", "expected a message with words in it");
  return [["query", query]];
}

function wrong(name: string, message: string): PurestepError {
  return new PurestepError("invalid_input", message, `/${name}`);
}
