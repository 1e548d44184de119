/** Reads the replies of a server, an event stream or a whole body, in bounded pieces cut anywhere. */
import { createParser } from "eventsource-parser";
import { BadReply } from "./reply.js";

// A whole completion can come as one line; four bytes for each of a million characters.
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const DONE = "[DONE]";

/** What `chunks` yields when the server said that its reply is complete. */
export const COMPLETE = Symbol("complete");

/** Yields the decoded chunks of a reply, then COMPLETE if the server says so; throws BadReply for what is no JSON. */
export async function* chunks(kind: string, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  if (kind !== "text/event-stream") {
    yield await whole(kind, pieces);
    yield COMPLETE;
    return;
  }
  for await (const line of dataLines(pieces)) yield line === DONE ? COMPLETE : decode(line);
}

/**
 * Yields the payload of every complete `data:` line.
 *
 * A last line without its newline was cut and is dropped, unless it is the end itself. Payloads are taken line by
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
    if (pending.length > MAX_LINE_BYTES) throw tooLong("the stream has a line");
    yield* lines.splice(0);
  }
  if (pending.startsWith("data:") && pending.slice(5).trim() === DONE) yield DONE;
}

/** Gives the completion of a server that does not stream. */
async function whole(kind: string, pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
  let text = "";
  try {
    for await (const piece of decoded(pieces)) {
      text += piece;
      if (text.length > MAX_LINE_BYTES) throw tooLong("it is a text");
    }
    return decode(text);
  } catch (error) {
    if (!(error instanceof BadReply) || !error.retryable || kind === "application/json") throw error;
    throw new BadReply(`its type is ${kind || "not given"}; expected JSON or an event stream`, false);
  }
}

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const checked = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new BadReply("bytes that are not UTF-8");
    }
  };
  for await (const piece of pieces) yield checked(piece);
  yield checked();
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadReply(`${text.length} characters that are not JSON`);
  }
}

function tooLong(what: string): BadReply {
  return new BadReply(`${what} of more than ${MAX_LINE_BYTES} bytes`, false);
}
