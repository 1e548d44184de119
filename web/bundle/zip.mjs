// Zip archives: reads wheels and the standard library, writes the library of the bundle.
import * as zlib from "node:zlib";

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const FIRST_DAY = 0x21; // 1980-01-01, the earliest a zip can say, so that equal modules give equal bytes

/** Gives the files of an archive by name; folders are left out. */
export function readZip(bytes) {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = archive.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error("expected a zip archive; it has no end record");
  const files = new Map();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
    if (!name.endsWith("/")) files.set(name, fileAt(archive, at));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

function fileAt(archive, central) {
  const local = archive.readUInt32LE(central + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(start, start + archive.readUInt32LE(central + 20));
  return archive.readUInt16LE(central + 10) === 0 ? packed : zlib.inflateRawSync(packed);
}

/** Gives an archive of the files, sorted by name and not compressed: the transfer compresses it better as a whole. */
export function writeZip(files) {
  const bodies = [];
  const directory = [];
  let at = 0;
  for (const [name, data] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const fields = entryFields(Buffer.byteLength(name), data);
    const local = Buffer.concat([word(LOCAL), fields, Buffer.from(name), data]);
    bodies.push(local);
    directory.push(word(CENTRAL), half(20), fields, Buffer.alloc(10), word(at), Buffer.from(name));
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = [
    word(END),
    half(0),
    half(0),
    half(files.size),
    half(files.size),
    word(central.length),
    word(at),
    half(0),
  ];
  return Buffer.concat([...bodies, central, ...end]);
}

function entryFields(nameLength, data) {
  const sizes = [word(crcOf(data)), word(data.length), word(data.length)];
  return Buffer.concat([half(20), half(0), half(0), half(0), half(FIRST_DAY), ...sizes, half(nameLength), half(0)]);
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crcOf(data) {
  if (zlib.crc32) return zlib.crc32(data); // Node 20.15 and 22.2 brought it
  let rest = -1;
  for (const byte of data) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}

function word(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function half(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
