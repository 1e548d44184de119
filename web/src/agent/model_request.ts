/** What a model is sent for one decision: its messages, or those of the transcript that it names, and its constraints. */
import type { CallModel, Message, ShortenedMessage } from "../generated/wire.js";
import type { ModelRequest } from "./ports.js";

/** Gives the request of a decision: its messages, or those of the transcript that it names, and its constraints. */
export function modelRequest(decision: CallModel, transcript: readonly Message[]): ModelRequest {
  const { prompt, type: _type, reason: _reason, skill: _skill, cause: _cause, wait_ms: _wait_ms, ...own } = decision;
  const { messages: first = [], system, ...rest } = own;
  const sent = [...first, ...prompt.flatMap((entry) => named(entry, transcript))].map(sentMessage);
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

function partsOf(content: Message["content"]): Exclude<Message["content"], string | null | undefined> {
  return Array.isArray(content) ? content : [{ type: "text", text: content ?? "" }];
}

/** Gives a message as a server gets it: what the core has kept for its provider stands among its members. */
function sentMessage({ extra, ...own }: Message): Message {
  return { ...own, ...(extra as object | undefined) };
}

/** Gives the messages of one entry of a prompt: a range, or one with parts of its content replaced. */
function named(entry: CallModel["prompt"][number], messages: readonly Message[]): Message[] {
  if ("index" in entry) {
    const message = messages[entry.index]!;
    return [{ ...message, content: shortened(message.content ?? "", entry) }];
  }
  return messages.slice(...entry);
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
