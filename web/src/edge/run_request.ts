/**
 * The members of a request to /run, read strictly: an unknown member is refused with its path, never ignored.
 *
 * The state and the definition stay text, and the core checks them. Two counters of the state are read here, only to
 * check that the transcript and the log belong to it.
 */
import { PurestepError } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { ToolChoice } from "../agent/agent.js";
import { callsBelow, haveTranscripts } from "../agent/agent_tree.js";
import type { AttachmentSource } from "../agent/attachments.js";
import type { Approval, Message } from "../generated/wire.js";
import { isObject } from "./carried_run.js";
import { kindOf, membersOf } from "./json_members.js";
import type { KeyedAnswer } from "./keyed_answers.js";
import { fileOfPart } from "./sent_files.js";
import { firstCharacters } from "../characters.js";

/** A request of a run, its shape checked. */
export interface RunRequest extends Members {
  /** Answers of a client that knows calls by their keys, instead of `approvals`. */
  answers?: readonly KeyedAnswer[];
  /** The files of earlier queries, which a model may be sent again; asked for if need be. */
  files_before?: () => readonly AttachmentSource[];
  /** Whether the query was sent before: where its exchange has no end, the run goes on with it. */
  repeats?: boolean;
}

/** The members of a request to /run. */
interface Members {
  /** The user's message: starts a run, or continues one that has ended. */
  query?: string;
  /** Whether tools may, must or must not be used for the query. */
  tool_choice?: ToolChoice;
  /** The definition as text; default the service's own. */
  agent?: string;
  /** The id of a new run; default a random one. */
  run_id?: string;
  /** The state as text. */
  state?: string;
  messages?: Message[];
  /** The transcripts of the agents that go on, by the ids of their runs. */
  children?: Record<string, Message[]>;
  /** The run's whole log so far. */
  log?: string;
  /** The seal that came with the state and the log. */
  seal?: string;
  /** A person's answers to `request_approval`, as text. */
  approvals?: string;
  /** The images and files of the query. */
  files?: readonly AttachmentSource[];
}

type Read = { [Name in keyof Members | "files_before"]-?: (text: string) => RunRequest[Name] };

const READ: Read = {
  query: textMember("query"),
  tool_choice: (text) => JSON.parse(text) as ToolChoice, // the core checks it
  agent: (text) => objectMember("agent", text),
  run_id: textMember("run_id"),
  // As the core writes it, with every digit: a client may have written it with blanks and escapes of its own.
  state: (text) => writeExactly(parseVerbatim(objectMember("state", text))),
  messages: (text) => messagesMember("messages", arrayMember("messages", text)),
  children: childrenMember,
  log: textMember("log"),
  seal: textMember("seal"),
  approvals: (text) => (arrayMember<Approval>("approvals", text), text),
  files: (text) => filesMember("files", text),
  files_before: (text) => {
    const files = filesMember("files_before", text);
    return () => files;
  },
};

/** Reads the body of a request to /run. Throws PurestepError for an invalid one. */
export function readRunRequest(body: string): RunRequest {
  return readMembers(membersOf(body));
}

/** Reads the members of such a request, each given as its JSON text. */
export function readMembers(members: ReadonlyMap<string, string>): RunRequest {
  const asked: Record<string, unknown> = {};
  for (const [name, text] of members) {
    if (!Object.hasOwn(READ, name))
      throw wrong(name, `expected ${Object.keys(READ).join(", ")}; there is no member of this name`);
    if (text !== "null") asked[name] = READ[name as keyof Read](text); // null is what left out means
  }
  checkTogether(asked);
  return asked;
}

/** Throws for members that cannot be combined. */
function checkTogether({ query, tool_choice, files, ...run }: RunRequest): void {
  const { state, messages, children, log, seal, approvals, run_id } = run;
  const goesOn = state !== undefined || log !== undefined;
  if (!goesOn && query === undefined) {
    throw wrong("query", "expected a query to start a run, or the state or log of a run to continue");
  }
  if (!goesOn && approvals !== undefined)
    throw wrong("approvals", "expected the state and messages, or the log, of the run that asked");
  if (!goesOn && messages !== undefined) throw wrong("messages", "expected the state that these messages belong to");
  if (children !== undefined && state === undefined)
    throw wrong("children", "expected the state that these transcripts belong to");
  if (!goesOn && seal !== undefined) throw wrong("seal", "expected the state or log that it came with");
  if (goesOn && run_id !== undefined) throw wrong("run_id", "a run's id is set when it begins; leave it out");
  if (tool_choice !== undefined && query === undefined)
    throw wrong("tool_choice", "expected the query that it is for; leave it out");
  if (files !== undefined && query === undefined)
    throw wrong("files", "expected the query that they are for; leave them out");
  if (query !== undefined && approvals !== undefined)
    throw wrong("approvals", "expected a query or approvals, not both");
  if (state !== undefined && log === undefined) checkCount(state, messages);
  if (state !== undefined && (log === undefined || children !== undefined)) checkChildren(state, children);
}

/** Throws for a transcript of another length: decisions name ranges of it. */
function checkCount(state: string, messages: Message[] | undefined): void {
  const { messages: expected } = JSON.parse(state) as { messages?: unknown };
  if (typeof expected !== "number" || messages?.length === expected) return; // a state without a count is the core's to refuse
  throw wrong("messages", `expected the ${expected} messages that the state counts; got ${messages?.length ?? "none"}`);
}

/** Throws unless there are the whole transcripts of the agents that go on, and of no others. */
function checkChildren(state: string, children: Record<string, Message[]> = {}): void {
  const goOn = callsBelow(state);
  if (haveTranscripts(state, children) && Object.keys(children).length === goOn.length) return;
  const runs = goOn.map(({ child }) => child.run_id).join(", ");
  throw wrong("children", `expected the transcripts of the agents that go on, as they came, and no others: ${runs}`);
}

function textMember(name: string): (text: string) => string {
  return (text) => {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "string") throw wrong(name, `expected a string; got ${kindOf(value)}`);
    return value;
  };
}

function objectMember(name: string, text: string): string {
  if (!text.startsWith("{")) throw wrong(name, `expected an object; got ${kindOf(JSON.parse(text))}`);
  return text;
}

function arrayMember<Item>(name: string, text: string): Item[] {
  if (!text.startsWith("[")) throw wrong(name, `expected an array; got ${kindOf(JSON.parse(text))}`);
  return parseVerbatim(text) as Item[];
}

function filesMember(name: string, text: string): AttachmentSource[] {
  return arrayMember<unknown>(name, text).map((part, at) => {
    if (isObject(part)) return fileOfPart(part);
    throw wrong(`${name}/${at}`, "expected a file with its data URL as url, and its name as filename");
  });
}

function messagesMember(name: string, messages: (Message | null)[]): Message[] {
  const odd = messages.findIndex((message) => typeof message?.role !== "string");
  if (odd >= 0) throw wrong(`${name}/${odd}`, "expected a message with a role");
  return messages as Message[];
}

function childrenMember(text: string): Record<string, Message[]> {
  const children = parseVerbatim(objectMember("children", text)) as Record<string, unknown>;
  for (const [runId, messages] of Object.entries(children)) {
    if (!Array.isArray(messages)) throw wrong(`children/${runId}`, `expected an array; got ${kindOf(messages)}`);
    messagesMember(`children/${runId}`, messages);
  }
  return children as Record<string, Message[]>;
}

function wrong(name: string, message: string): PurestepError {
  // A name is the client's own text and may be long.
  return new PurestepError("invalid_input", message, `/${firstCharacters(name, 100)}`);
}
