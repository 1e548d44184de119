// Reads the constants in a function's body: numbers and offsets of loads and stores, among which are all addresses.
import { Reader } from "./wasm_sections.mjs";

/** Calls `take` with each constant of 32 bits and each offset of a load or store in a body. */
export function eachConstant(body, take) {
  const reader = new Reader(body);
  reader.list(() => [reader.unsigned(), reader.take(1)]);
  while (reader.at < body.length) {
    const op = body[reader.at++];
    if (op === 0x41) take(reader.signed() >>> 0);
    else if (op >= 0x28 && op <= 0x3e) {
      const align = reader.unsigned();
      if (align & 64) reader.unsigned();
      take(reader.unsigned());
    } else skip(op, reader);
  }
}

function skip(op, reader) {
  if (op <= 0x01 || op === 0x05 || op === 0x0a || op === 0x0b || op === 0x0f || op === 0x19) return;
  if (op === 0x1a || op === 0x1b || (op >= 0x45 && op <= 0xc4) || op === 0xd1) return;
  if (op === 0x02 || op === 0x03 || op === 0x04 || op === 0x06) return void reader.signed();
  if (op === 0x0e) {
    reader.list(() => reader.unsigned());
    reader.unsigned();
    return;
  }
  if (op === 0x1c) return void reader.list(() => reader.take(1));
  if (op === 0x11 || op === 0x13) {
    reader.unsigned();
    return void reader.unsigned();
  }
  if (op === 0x42) {
    while (reader.bytes[reader.at++] >= 128);
    return;
  }
  if (op === 0x43) return void reader.take(4);
  if (op === 0x44) return void reader.take(8);
  if (op === 0xfc) {
    const second = reader.unsigned();
    if (second <= 7) return;
    reader.unsigned();
    if (second === 8 || second === 10 || second === 12 || second === 14) reader.unsigned();
    return;
  }
  // br, br_if, call, local and global access, memory.size, table access, ref.null, ref.func, throw, rethrow, delegate, catch
  if (
    (op >= 0x07 && op <= 0x09) ||
    (op >= 0x0c && op <= 0x0d) ||
    op === 0x10 ||
    op === 0x12 ||
    op === 0x18 ||
    (op >= 0x20 && op <= 0x26) ||
    op === 0x3f ||
    op === 0x40 ||
    op === 0xd0 ||
    op === 0xd2
  )
    return void reader.unsigned();
  throw new Error(`expected an instruction; got ${op.toString(16)}`);
}
