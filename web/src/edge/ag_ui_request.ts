/**
 * What an AG-UI client sends, as a request of a run: its answers to interrupts, else its last message.
 *
 * The run is in the member `purestep` of the state that the client shares, as the service gave it. What the messages
 * show is not read, but for the last one and the bytes of images and files.
 * Source: AG-UI's `RunAgentInput`, version 1.0.
 */
import type { AttachmentSource } from "../agent/attachments.js";
import { PurestepError } from "../errors.js";
import { parseVerbatim } from "../exact_numbers.js";
import { type CarriedRun, carriedMembers, isCarried, isObject } from "./carried_run.js";
import { agUi, type ChatForm } from "./chat_form.js";
import { membersOf } from "./json_members.js";
import type { KeyedAnswer } from "./keyed_answers.js";
import { readMembers, type RunRequest } from "./run_request.js";
import { fileOfBase64, fileOfUrl, readable } from "./sent_files.js";
import { hasMoreCharacters } from "../characters.js";

interface ThreadMessage {
  id?: unknown;
  role: string;
  content?: unknown;
}

/** The run of a thread, and the id of the message that it took last. */
type ThreadRun = CarriedRun & { asked?: unknown };

interface Members {
  state?: unknown;
  messages?: unknown;
  resume?: unknown;
  tools?: unknown;
  context?: unknown;
  forwardedProps?: unknown;
  threadId?: unknown;
  runId?: unknown;
}

const ANSWER_MEMBERS = ["approved", "arguments", "reason"];
const PASSED_ON = ["agent", "tool_choice"];

/** Reads the body of a request of a thread, and gives the form of its answer. Throws PurestepError for an invalid one. */
export function readAgUiRequest(body: string): { asked: RunRequest; form: ChatForm } {
  const texts = membersOf(body);
  const members = Object.fromEntries([...texts].map(([name, text]) => [name, parseVerbatim(text)])) as Members;
  if ([members.tools, members.context].some((each) => Array.isArray(each) && each.length > 0))
    throw new PurestepError("unsupported", "expected no tools and no context: the service's agent has its own");
  const messages = messagesIn(members.messages ?? []);
  const run = runIn(members.state);
  const answers = answersIn(members.resume);
  const last = messages.at(-1);
  const message = last?.role === "user" ? last : undefined;
  if (!run && !message)
    throw wrong("messages", "expected a message of the user's as the last one, or the state of a run to go on with");
  const given = passedOn(texts.get("forwardedProps"), message !== undefined);
  for (const [name, value] of carriedMembers(run ? [run] : [])) given.set(name, JSON.stringify(value));
  if (message) given.set("query", JSON.stringify(queryIn(message)));
  const asked: RunRequest = {
    ...readMembers(given),
    ...(answers && { answers }),
    ...(message && {
      files: filePartsOf(message).map(fileOf),
      repeats: isText(message.id) && message.id === run?.asked,
    }),
    files_before: () => readable(messages.flatMap(filePartsOf), fileOf),
  };
  const ids = { ...idOf(members, "threadId"), ...idOf(members, "runId") };
  const standing = { hasState: isObject(members.state), hasRun: run !== undefined, ids };
  return { asked, form: agUi({ ...standing, asked: isText(message?.id) ? message.id : undefined }) };
}

/** Says where in the body a client has sent what `placed` names of its answers or of its choice of tools. */
export function placeInThread(path: string): string {
  const [, at, rest = ""] = /^\/approvals\/(\d+)(.*)$/.exec(path) ?? [];
  if (at === undefined) return path.startsWith("/approvals") ? "/resume" : `/forwardedProps${path}`;
  if (rest.startsWith("/params")) return `/resume/${at}/payload/arguments${rest.slice("/params".length)}`;
  return rest.startsWith("/reason") || rest.startsWith("/approved") ? `/resume/${at}/payload${rest}` : `/resume/${at}`;
}

/** The longest id of a client's: it stands in the events that answer it. */
const MAX_ID_CHARS = 1000;

function idOf(members: Members, name: "threadId" | "runId"): { threadId?: string; runId?: string } {
  const id = members[name];
  if (id === undefined || id === "") return {};
  if (!isText(id) || hasMoreCharacters(id, MAX_ID_CHARS))
    throw wrong(name, `expected text of at most ${MAX_ID_CHARS} characters`);
  return { [name]: id };
}

function messagesIn(value: unknown): ThreadMessage[] {
  if (!Array.isArray(value)) throw wrong("messages", "expected the messages of a thread");
  const odd = value.findIndex((message: unknown) => !isObject(message) || !isText((message as ThreadMessage).role));
  if (odd >= 0) throw wrong(`messages/${odd}`, "expected a message with a role");
  return value as ThreadMessage[];
}

/** Gives the run that the state carries. */
function runIn(state: unknown): ThreadRun | undefined {
  if (state === undefined || state === null) return undefined;
  if (!isObject(state)) throw wrong("state", "expected an object: the run is kept in its member purestep");
  const { purestep } = state as { purestep?: unknown };
  if (purestep === undefined) return undefined;
  if (!isCarried(purestep)) throw wrong("state/purestep", "expected it as the service gave it");
  return purestep;
}

/** Gives a person's answers; an interrupt's id is the call's key. */
function answersIn(resume: unknown): KeyedAnswer[] | undefined {
  if (resume === undefined || resume === null) return undefined;
  if (!Array.isArray(resume)) throw wrong("resume", "expected the answers to interrupts");
  return resume.length === 0 ? undefined : resume.map(answerIn);
}

function answerIn(value: unknown, at: number): KeyedAnswer {
  const { interruptId, status, payload } = (isObject(value) ? value : {}) as Record<string, unknown>;
  if (!isText(interruptId) || (status !== "resolved" && status !== "cancelled"))
    throw wrong(`resume/${at}`, 'expected an answer with interruptId, and "resolved" or "cancelled" as its status');
  if (status === "cancelled") return { key: interruptId, approved: false };
  const odd = isObject(payload) ? Object.keys(payload).find((name) => !ANSWER_MEMBERS.includes(name)) : "";
  const { approved, arguments: params, reason } = (payload ?? {}) as Record<string, unknown>;
  if (odd !== undefined || typeof approved !== "boolean")
    throw wrong(`resume/${at}/payload`, "expected approved, true or false, and no more than arguments and reason");
  return { key: interruptId, approved, params: params ?? null, reason: reason ?? null };
}

/** Gives the members of the request that a client adds; the choice of tools is for a message. */
function passedOn(properties: string | undefined, isAsked: boolean): Map<string, string> {
  if (properties === undefined || !properties.startsWith("{")) return new Map();
  const names = isAsked ? PASSED_ON : PASSED_ON.slice(0, 1);
  return new Map([...membersOf(properties)].filter(([name]) => names.includes(name)));
}

/** Gives the words of a message. Throws where it has neither words nor files. */
function queryIn(message: ThreadMessage): string {
  const { content } = message;
  const isParts = Array.isArray(content) && content.every(isObject);
  if (!isText(content) && !isParts) throw wrong("messages", "expected content that is a text or parts");
  const query = isText(content) ? content : content.flatMap(textIn).join("\n");
  if (query.trim() === "" && filePartsOf(message).length === 0)
    throw wrong("messages", "expected a message with words in it");
  return query;
}

function textIn(part: object): string[] {
  const { type, text } = part as { type?: unknown; text?: unknown };
  return type === "text" && isText(text) ? [text] : [];
}

function filePartsOf({ role, content }: ThreadMessage): object[] {
  if (role !== "user" || !Array.isArray(content)) return [];
  return content.filter((part) => isObject(part) && (part as { type?: unknown }).type !== "text");
}

/** Gives an image or a document whose bytes the client has sent. */
function fileOf(part: object): AttachmentSource {
  const { type, source, metadata } = part as Record<string, unknown>;
  if ((type !== "image" && type !== "document") || !isObject(source))
    throw new PurestepError("unsupported", "expected parts of the types text, image and document", "/messages");
  const name = isObject(metadata) ? (metadata as { filename?: unknown }).filename : undefined;
  const { type: kind, value } = source as { type?: unknown; value?: unknown };
  return kind === "data" ? fileOfBase64(value, name) : fileOfUrl(value, name);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function wrong(name: string, message: string): PurestepError {
  return new PurestepError("invalid_input", message, `/${name}`);
}
