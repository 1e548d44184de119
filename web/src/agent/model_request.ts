/** What a model is sent for one decision: its messages, or those of the transcript that it names, and its constraints. */
import type { CallModel, Message, ShortenedMessage } from "../generated/wire.js";
import { isText } from "./attachments.js";
import type { ModelRequest } from "./ports.js";

/** Gives the request of a decision: its messages, or those of the transcript that it names, and its constraints. */
export function modelRequest(decision: CallModel, transcript: readonly Message[]): ModelRequest {
  const { prompt, type: _type, reason: _reason, skill: _skill, cause: _cause, wait_ms: _wait_ms, ...own } = decision;
  const { messages: first = [], system, apart, call_id_chars, call_extra, extra_model, extra_from = 0, ...rest } = own;
  const chosen = [...first, ...prompt.flatMap((entry) => named(entry, transcript, extra_from))];
  const given = chosen.map((message) => forModel(message, extra_model ?? decision.model));
  const fitted = call_id_chars === undefined ? given : numbered(given, call_id_chars);
  const taken = call_extra === undefined ? fitted : withExtra(fitted, call_extra as object);
  const sent = (apart === undefined ? taken : alternating(taken, apart)).map(sentMessage);
  return { messages: system ? withSystemRole(sent, system) : sent, ...rest } as unknown as ModelRequest;
}

/**
 * Gives the messages with that role in place of `system`; roles stay in turn, since chat templates demand it.
 *
 * As `user`, a text and what the user says after it are one message.
 */
function withSystemRole(messages: readonly Message[], role: string): Message[] {
  const sent: Message[] = [];
  let joins = false;
  for (const message of messages) {
    const isSystem = message.role === "system";
    const named = isSystem ? ({ ...message, role } as Message) : message;
    const before = sent.at(-1);
    if (before && joins && named.role === role) {
      sent[sent.length - 1] = { ...named, content: joined(before.content, named.content) };
    } else sent.push(named);
    joins = role === "user" && (isSystem || (joins && named.role === role));
  }
  return sent;
}

/** Gives two contents as one: text, or parts where one of them has parts. */
function joined(before: Message["content"], after: Message["content"]): NonNullable<Message["content"]> {
  if (typeof before === "string" && typeof after === "string") return `${before}\n\n${after}`;
  return [...partsOf(before), ...partsOf(after)];
}

type Parts = Exclude<Message["content"], string | null | undefined>;

function partsOf(content: Message["content"]): Parts {
  return Array.isArray(content) ? content : [{ type: "text", text: content ?? "" }];
}

/** Gives a message without what the provider of another model gave: reasoning is encrypted or signed for one model. */
function forModel(message: Message, model: string | undefined): Message {
  if (message.extra === undefined || message.extra_model === model) return message;
  const { extra: _extra, extra_model: _model, ...own } = message;
  return own;
}

/** Gives messages in which calls of other models have more members, in what goes on since the user's last words. */
function withExtra(messages: readonly Message[], members: object): Message[] {
  const last = messages.map(({ role }) => role).lastIndexOf("user");
  return messages.map((message, at) => {
    const { tool_calls: calls } = message;
    if (at <= last || !calls || message.extra !== undefined) return message;
    const [first, ...rest] = calls;
    return { ...message, extra: { tool_calls: [{ ...first, ...members }, ...rest] } };
  });
}

/** Gives messages whose calls have numbers of so many digits as ids, from 1 in the order in which they come. */
function numbered(messages: readonly Message[], digits: number): Message[] {
  const ids = new Map<string, string>();
  const fitted = (id: string): string => {
    const known = ids.get(id) ?? String(ids.size + 1).padStart(digits, "0");
    ids.set(id, known);
    return known;
  };
  return messages.map((message) => {
    const calls = message.tool_calls?.map((call) => (call.id == null ? call : { ...call, id: fitted(call.id) }));
    return {
      ...message,
      ...(calls && { tool_calls: calls, extra: withIds(message.extra, calls) }),
      ...(message.tool_call_id !== undefined && { tool_call_id: fitted(message.tool_call_id) }),
    };
  });
}

/** Gives what a provider gave with calls as it is sent: its calls, which stand for the message's own, have their ids. */
function withIds(extra: unknown, calls: NonNullable<Message["tool_calls"]>): unknown {
  const given = isObject(extra) ? extra["tool_calls"] : undefined;
  if (!Array.isArray(given)) return extra;
  const pairs = given.slice(0, calls.length).map((entry: unknown, at) => [entry, calls[at]!.id] as const);
  return {
    ...(extra as object),
    tool_calls: pairs.map(([entry, id]) => (isObject(entry) && "id" in entry ? { ...entry, id } : entry)),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Gives messages in which roles alternate: images and files of results are the user's, after all results.
 *
 * `word`: the assistant's, before a message of the user that follows one, or results.
 */
function alternating(messages: readonly Message[], word: string): Message[] {
  const apart: Message = { role: "assistant", content: word };
  const sent: Message[] = [];
  let shown: Parts = [];
  for (let message of messages) {
    const { role, content } = message;
    if (role === "tool" && Array.isArray(content)) {
      shown.push(...content.filter((part) => !isSaid(part)));
      message = { ...message, content: plain(content.filter(isSaid)) };
    } else if (shown.length > 0 && role === "user") {
      message = { ...message, content: joined(shown, content ?? "") };
      shown = [];
    } else if (shown.length > 0 && role !== "tool") {
      sent.push(apart, { role: "user", content: shown });
      shown = [];
    }
    if (message.role === "user" && ["user", "tool"].includes(sent.at(-1)?.role ?? "")) sent.push(apart);
    sent.push(message);
  }
  return shown.length > 0 ? [...sent, apart, { role: "user", content: shown }] : sent;
}

/** Gives parts as one text, where all of them are text, since many servers take no other. */
function plain(parts: Parts): Parts | string {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n\n") : parts;
}

/** Whether a part is text for every model. */
function isSaid(part: Parts[number]): boolean {
  return part.type === "text" || (part.type === "file" && isText(part.media_type));
}

/** Gives a message as a server gets it: what the core has kept for its provider stands among its members. */
function sentMessage({ extra, extra_model: _model, ...own }: Message): Message {
  return { ...own, ...(extra as object | undefined) };
}

/**
 * Gives the messages of one entry of a prompt: a range, or one with parts of its content replaced.
 *
 * `extraFrom`: calls before this index are sent without what their provider gave with them.
 */
function named(entry: CallModel["prompt"][number], messages: readonly Message[], extraFrom: number): Message[] {
  const [begin, end] = "index" in entry ? [entry.index, entry.index + 1] : entry;
  const range = messages
    .slice(begin, end)
    .map((message, at) => (begin + at < extraFrom ? withoutExtra(message) : message));
  if (!("index" in entry)) return range;
  return range.map((message) => ({ ...message, content: shortened(message.content ?? "", entry) }));
}

/** Gives a message with calls without what their provider gave with them; any other as it is. */
function withoutExtra(message: Message): Message {
  const { extra: _extra, extra_model: _model, ...own } = message;
  return message.tool_calls ? own : message;
}

function shortened(content: NonNullable<Message["content"]>, entry: ShortenedMessage): NonNullable<Message["content"]> {
  if (typeof content === "string") return withCuts(content, entry.cuts);
  const texts = new Map(entry.parts);
  return content.map((part, at) => {
    if (at === 0 && part.type === "text") return { ...part, text: withCuts(part.text, entry.cuts) };
    const text = texts.get(at);
    return text === undefined ? part : { type: "text", text };
  });
}

/** Gives a text with its cuts made, which count code points and not UTF-16 units. */
function withCuts(content: string, cuts: ShortenedMessage["cuts"]): string {
  const characters = [...content];
  const pieces: string[] = [];
  let at = 0;
  for (const [begin, end, text] of cuts) {
    pieces.push(characters.slice(at, begin).join(""), text);
    at = end;
  }
  return pieces.join("") + characters.slice(at).join("");
}
