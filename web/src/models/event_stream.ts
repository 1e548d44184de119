/** Reads the replies of a server, an event stream or a whole body, within limits on length, from pieces split anywhere. */
import { createParser } from "eventsource-parser";
import { MAX_REPLY_LINE_BYTES } from "../generated/reply_bounds.js";

/** The payload that ends a complete reply. */
const DONE = "[DONE]";

/** A line or a body is longer than MAX_REPLY_LINE_BYTES; reading stopped. */
export class TooLong extends Error {}

/** The body is not UTF-8. */
export class NotUtf8 extends Error {}

/** Yields the chunks of a reply; a completion that is not streamed is one chunk. */
export async function* chunks(mediaType: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  if (mediaType !== "text/event-stream") {
    yield await whole(pieces);
    yield DONE;
    return;
  }
  for await (const line of dataLines(pieces)) {
    yield line;
    if (line === DONE) return;
  }
}

/**
 * Yields the payload of every complete `data:` line.
 *
 * A last line without a newline is incomplete and dropped, unless it is `[DONE]`. Payloads are taken line by
 * line: chat completions use one line an event, and some servers leave out the empty line between events.
 */
async function* dataLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lines: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => lines.push(...data.split("\n").map((line) => line.trim())) });
  let pending = "";
  for await (const text of decoded(pieces)) {
    const end = text.lastIndexOf("\n") + 1;
    // The empty line after them makes whole lines an event at once.
    if (end > 0) parser.feed(`${pending}${text.slice(0, end)}\n`);
    pending = end > 0 ? text.slice(end) : pending + text;
    if (pending.length > MAX_REPLY_LINE_BYTES) throw new TooLong();
    yield* lines.splice(0);
  }
  if (pending.startsWith("data:") && pending.slice(5).trim() === DONE) yield DONE;
}

/** Gives the body of a server that does not stream. */
async function whole(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of decoded(pieces)) {
    text += piece;
    if (text.length > MAX_REPLY_LINE_BYTES) throw new TooLong();
  }
  return text;
}

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const checked = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new NotUtf8();
    }
  };
  for await (const piece of pieces) yield checked(piece);
  yield checked();
}
