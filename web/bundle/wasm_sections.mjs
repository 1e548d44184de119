// Reads and writes WebAssembly modules section by section; function bodies stay bytes.

export const SECTION = {
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
  tag: 13,
};
const HEADER = Buffer.from("\0asm\x01\0\0\0", "latin1");

/** The kinds of imports and exports. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };

/** Reads the numbers and texts of a module one after the other. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  unsigned() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  signed() {
    let value = 0;
    for (let shift = 0; ;) {
      const byte = this.bytes[this.at++];
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
    }
  }

  take(length) {
    return this.bytes.subarray(this.at, (this.at += length));
  }

  text() {
    return this.take(this.unsigned()).toString("utf8");
  }

  list(read) {
    return Array.from({ length: this.unsigned() }, (_, index) => read(index));
  }

  /** The limits of a table or a memory, as bytes. */
  limits() {
    const start = this.at;
    const flags = this.bytes[this.at++];
    this.unsigned();
    if (flags & 1) this.unsigned();
    return this.bytes.subarray(start, this.at);
  }
}

/** Gives the bytes of an unsigned number. */
export function unsigned(value) {
  const bytes = [];
  for (;;) {
    const rest = Math.floor(value / 128);
    bytes.push(rest ? (value & 127) | 128 : value);
    if (!rest) return Buffer.from(bytes);
    value = rest;
  }
}

/** Gives the bytes of a signed number. */
export function signed(value) {
  const bytes = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    const last = (value === 0 && !(byte & 64)) || (value === -1 && byte & 64);
    bytes.push(last ? byte : byte | 128);
    if (last) return Buffer.from(bytes);
  }
}

export function text(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([unsigned(bytes.length), bytes]);
}

export function list(entries) {
  return Buffer.concat([unsigned(entries.length), ...entries]);
}

/** Gives the sections as `[id, bytes]` in their order. */
export function readSections(bytes) {
  const reader = new Reader(bytes, HEADER.length);
  const sections = [];
  while (reader.at < bytes.length) {
    const id = bytes[reader.at++];
    sections.push([id, reader.take(reader.unsigned())]);
  }
  return sections;
}

export function writeSections(sections) {
  return Buffer.concat([HEADER, ...sections.flatMap(([id, body]) => [Buffer.of(id), unsigned(body.length), body])]);
}

/** Gives what splitting a module needs to know of it. */
export function readModule(bytes) {
  const sections = readSections(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const of = (id) => sections.find(([each]) => each === id)?.[1] ?? Buffer.of(0);
  const reader = (id) => new Reader(of(id));
  return {
    sections,
    types: readTypes(reader(SECTION.type)),
    imports: readImports(reader(SECTION.import)),
    functions: listOf(reader(SECTION.function), (at) => at.unsigned()),
    tables: listOf(reader(SECTION.table), (at) => Buffer.concat([at.take(1), at.limits()])),
    memories: listOf(reader(SECTION.memory), (at) => at.limits()),
    tags: listOf(reader(SECTION.tag), (at) => Buffer.concat([at.take(1), unsigned(at.unsigned())])),
    globals: readGlobals(reader(SECTION.global)),
    exports: readExports(reader(SECTION.export)),
    bodies: listOf(reader(SECTION.code), (at) => at.take(at.unsigned())),
  };
}

function listOf(reader, read) {
  return reader.list(() => read(reader));
}

/** Gives the parameters of each type, as bytes, and the whole type. */
function readTypes(reader) {
  return listOf(reader, (at) => {
    if (at.bytes[at.at++] !== 0x60) throw new Error("expected types of functions alone");
    const parameters = at.take(at.unsigned());
    const results = at.take(at.unsigned());
    return { parameters: parameters.length, results: results.length };
  });
}

function readImports(reader) {
  return listOf(reader, (at) => {
    const start = at.at;
    at.text();
    at.text();
    if (at.bytes[at.at++] !== KIND.function) throw new Error("expected imports of functions alone");
    at.unsigned();
    return at.bytes.subarray(start, at.at);
  });
}

/** Gives the type and mutability of each global, what it begins as, and its whole entry, as bytes. */
function readGlobals(reader) {
  return listOf(reader, (at) => {
    const start = at.at;
    const type = at.take(2);
    if (at.bytes[at.at++] !== 0x41) throw new Error("expected globals that begin as constants of 32 bits");
    const begin = at.signed() >>> 0;
    if (at.bytes[at.at++] !== 0x0b) throw new Error("expected the end of a constant");
    return { type, begin, entry: at.bytes.subarray(start, at.at) };
  });
}

function readExports(reader) {
  return listOf(reader, (at) => {
    const start = at.at;
    const name = at.text();
    const kind = at.bytes[at.at++];
    const index = at.unsigned();
    return { name, kind, index, entry: at.bytes.subarray(start, at.at) };
  });
}

/** Gives the data of a module as one stretch of memory, and where it starts. */
export function dataImage({ sections }) {
  const reader = new Reader(sections.find(([id]) => id === SECTION.data)[1]);
  const segments = listOf(reader, (at) => {
    if (at.unsigned() !== 0 || at.bytes[at.at++] !== 0x41) throw new Error("expected data at fixed addresses");
    const start = at.signed();
    if (at.bytes[at.at++] !== 0x0b) throw new Error("expected the end of a constant");
    return { start, bytes: at.take(at.unsigned()) };
  });
  const start = Math.min(...segments.map((segment) => segment.start));
  const end = Math.max(...segments.map((segment) => segment.start + segment.bytes.length));
  const image = Buffer.alloc(end - start);
  for (const segment of segments) segment.bytes.copy(image, segment.start - start);
  return { start, image };
}

/** The bytes of one segment of data. */
export function dataSegment(start, bytes) {
  return Buffer.concat([Buffer.of(0, 0x41), signed(start), Buffer.of(0x0b), unsigned(bytes.length), bytes]);
}

/** As many zeros in a row begin a new segment: fewer cost less than its head, once they are compressed. */
const LEAST_GAP = 64;

/** Gives the segments of a stretch of memory that begins as zeros. */
export function dataSegments({ start, image }) {
  const segments = [];
  let from = -1;
  let end = 0;
  for (let at = 0; at < image.length; at++) {
    if (!image[at]) continue;
    if (from >= 0 && at - end >= LEAST_GAP) {
      segments.push(dataSegment(start + from, image.subarray(from, end)));
      from = -1;
    }
    if (from < 0) from = at;
    end = at + 1;
  }
  if (from >= 0) segments.push(dataSegment(start + from, image.subarray(from, end)));
  return segments;
}
