/**
 * Reads the replies of a server, an event stream or a whole body, within limits on length, from pieces split anywhere.
 *
 * Proxies lose the type of a body, so it is known by how it begins. The parser splits a stream into events; which of
 * them are read is the same in Python. Source: WHATWG HTML, section 9.2 "Server-sent events".
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { MAX_REPLY_LINE_BYTES } from "../generated/reply_bounds.js";

/** The payload that ends a complete reply; it is put after a body that does not stream. */
const DONE = "[DONE]";

/** That payload with spaces around it. */
const END = /^[ \t]*\[DONE\][ \t]*$/;
/** What data has that is not as good as empty. */
const NO_SPACE = /[^ \t\n]/;

/** How a stream begins; the last is a comment. */
const FIELDS = ["data:", "event:", "id:", "retry:", ":"];
const MOST_FIELD_CHARS = 6;
/** What may stand in front of it: byte order marks and empty lines. */
const BLANKS = /^[\ufeff \t\r\n]+/;
/** What ends the last event, whose empty line some proxies lose. */
const LAST = "\n\n";
const RETURNS = /\r\n?/g;
const UTF8 = new TextEncoder();
const LINE_ENDS = [10, 13];
/** The names of events that are read: none, that of an event without one, and a failure's. Others are read as chunks. */
const READ_NAMES = [undefined, "message", "error"];
/** The members that make an object a chunk of a chat completion. */
const OF_CHUNKS = ["choices", "usage", "error"];

/** An event or a body is longer than MAX_REPLY_LINE_BYTES; reading stopped. */
export class TooLong extends Error {}

/** The body is not UTF-8. */
export class NotUtf8 extends Error {}

/** Yields the payloads of a reply's events, `[DONE]` the last; a body that does not stream is one payload. */
export async function* chunks(mediaType: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const texts = decoded(decoder, pieces);
  try {
    let head = "";
    while (head.length < MOST_FIELD_CHARS) {
      const { done, value } = await texts.next();
      if (done) break;
      head = (head + value).replace(BLANKS, "");
    }
    if (isStream(head, mediaType)) {
      yield* payloads(head, texts);
      return;
    }
    yield await whole(head, texts, decoder);
    yield DONE;
  } finally {
    await texts.return(undefined);
  }
}

/** Tells whether a body is a stream of events, by its start; where that says nothing, by its type. */
function isStream(head: string, mediaType: string): boolean {
  if (FIELDS.some((field) => head.startsWith(field))) return true;
  return mediaType === "text/event-stream" && !head.startsWith("{");
}

/** Gives a body that does not stream. */
async function whole(head: string, texts: AsyncIterable<string>, decoder: TextDecoder): Promise<string> {
  let text = head;
  let size = bytesOf(head);
  for await (const piece of texts) {
    text += piece;
    size += bytesOf(piece);
    if (size > MAX_REPLY_LINE_BYTES) break;
  }
  if (size > MAX_REPLY_LINE_BYTES) throw new TooLong();
  return text + checked(() => decoder.decode());
}

async function* payloads(head: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const fed = function* (text: string, isCut: boolean): Generator<string> {
    parser.feed(text);
    for (const { event, data } of events.splice(0)) {
      yield* ofEvent(data, isCut).filter((each) => each === DONE || READ_NAMES.includes(event) || isChunk(each));
    }
  };
  for await (const text of withEnds(withLineFeeds(head, texts))) {
    for (const payload of fed(text, false)) {
      yield payload;
      if (payload === DONE) return;
    }
  }
  for (const payload of fed(LAST, true)) {
    yield payload;
    if (payload === DONE) return;
  }
}

/** Yields texts whose carriage returns, alone or before a line feed, end lines at once and not with the next byte. */
async function* withLineFeeds(head: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield head.replace(RETURNS, "\n");
  let isAfterReturn = head.endsWith("\r");
  for await (const text of texts) {
    if (text === "") continue;
    const rest = isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    isAfterReturn = text.endsWith("\r");
    yield rest.replace(RETURNS, "\n");
  }
}

/**
 * Yields texts in whole lines, with an empty line where an event is over that the server does not end.
 *
 * That is after a whole chunk which another line of data or a name follows, since no JSON goes on after its end: it is
 * read whatever follows, so it can be shown at once; and after `[DONE]`. Throws TooLong, by the bytes of an event.
 */
async function* withEnds(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string[] = [];
  let [heldBytes, bytes, lines, alone] = [0, 0, 0, ""];
  for await (const text of texts) {
    const ended = text.includes("\n") ? [...held, text].join("").split("\n") : [text];
    const rest = ended.pop()!;
    heldBytes = ended.length > 0 ? bytesOf(rest) : heldBytes + bytesOf(rest);
    if (ended.length > 0) held = [];
    held.push(rest);
    let shown = "";
    for (const line of ended) {
      const isData = line.startsWith("data:");
      const payload = isData ? line.slice("data:".length) : "";
      if ((isData || line.startsWith("event:")) && lines === 1 && isChunk(alone)) {
        shown += "\n";
        [lines, bytes] = [0, 0];
      }
      if (line === "") [lines, bytes] = [0, 0];
      else if (!line.startsWith(":")) bytes += bytesOf(line);
      if (bytes > MAX_REPLY_LINE_BYTES) throw new TooLong();
      if (isData) [lines, alone] = [lines + 1, payload];
      shown += `${line}\n`;
      if (isData && lines === 1 && END.test(payload)) {
        shown += "\n";
        [lines, bytes] = [0, 0];
      }
    }
    if (bytes + heldBytes > MAX_REPLY_LINE_BYTES) throw new TooLong();
    yield shown;
  }
  yield held.join("");
}

/** Gives the length of a text in UTF-8, by which bodies are bounded on every host. */
function bytesOf(text: string): number {
  return UTF8.encode(text).length;
}

/**
 * Gives the payloads of an event: one, which may have several lines; or one a line.
 *
 * Servers that send no empty lines send all as one event. `isCut`: the stream ended in it, so its last line counts only
 * where it came whole.
 */
function ofEvent(data: string, isCut: boolean): string[] {
  const lines = !data.includes("\n") || json(data) !== undefined ? [data] : data.split("\n");
  const found = lines.filter((line) => NO_SPACE.test(line)).map((line) => (END.test(line) ? DONE : line));
  const last = found.at(-1);
  if (isCut && last !== undefined && last !== DONE && json(last) === undefined) found.pop();
  return found;
}

function isChunk(payload: string): boolean {
  const found = json(payload);
  return typeof found === "object" && found !== null && OF_CHUNKS.some((name) => Object.hasOwn(found, name));
}

/** Gives the value of a text that is JSON and not null; undefined for others. */
function json(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Yields the text line by line: what stands before bytes that are no text is read, wherever they are split. */
async function* decoded(decoder: TextDecoder, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    let start = 0;
    for (let end = 1; end <= piece.length; end += 1) {
      if (end < piece.length && !LINE_ENDS.includes(piece[end - 1]!)) continue;
      const line = piece.subarray(start, end);
      yield checked(() => decoder.decode(line, { stream: true }));
      start = end;
    }
  }
}

function checked(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new NotUtf8();
  }
}
