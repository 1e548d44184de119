// Answers requests on stdin, one JSON object a line: what is read of a body in hexadecimal digits, in each of its splits.
import { createInterface } from "node:readline";
import { chunks, NotUtf8, TooLong } from "../../web/dist/models/event_stream.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { type, splits, isTimed } = JSON.parse(line);
  const found = [];
  for (const pieces of splits) {
    const { after, ...told } = await read(type, pieces);
    found.push(isTimed ? { ...told, after } : told);
  }
  console.log(JSON.stringify(found));
}

/** Gives the payloads of a reply, and what ended the reading, if it was not its end. */
async function read(type, pieces) {
  const payloads = [];
  const after = [];
  let taken = 0;
  let released = false;
  async function* sent() {
    try {
      for (const piece of pieces) {
        taken += 1;
        yield Uint8Array.from(Buffer.from(piece, "hex"));
      }
    } finally {
      released = true;
    }
  }
  try {
    for await (const payload of chunks(type, sent())) {
      payloads.push(payload);
      after.push(taken);
    }
  } catch (error) {
    const fault = error instanceof NotUtf8 ? "not_utf8" : error instanceof TooLong ? "too_long" : String(error);
    return { payloads, fault, after };
  }
  return released ? { payloads, after } : { payloads, after, fault: "the body was not released" };
}
