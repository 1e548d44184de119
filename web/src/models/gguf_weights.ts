/**
 * Reads a GGUF file as one whose weights are floats of 32 bits.
 *
 * A file holds them packed, and llama.cpp as wasm takes three times as long to read a prompt with packed ones. They are
 * unpacked as they are read: the whole unpacked file is nowhere, since browsers refuse or lose blobs of that size. The
 * form of a GGUF file: its header names each tensor's type and place, and the tensors follow, each aligned.
 */

/** The part of a Blob by which wllama reads a file. */
export interface ReadableFile {
  readonly size: number;
  slice(begin?: number, end?: number): ReadableFile;
  arrayBuffer(): Promise<ArrayBuffer>;
  stream(): ReadableStream<Uint8Array>;
}

/** What is known of one tensor; the places are those of its type and of its offset in the header. */
interface Tensor {
  readonly typeAt: number;
  readonly offsetAt: number;
  readonly type: number;
  /** Where it begins, from the end of the header. */
  readonly offset: number;
  readonly weights: number;
  /** How many bytes it has, with what aligns the next one. */
  readonly bytes: number;
}

interface Header {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly alignment: number;
  /** In the order of their places. */
  readonly tensors: readonly Tensor[];
}

/** How a block of 32 weights is packed, and how it is unpacked to `to`. */
interface Packing {
  readonly bytes: number;
  unpack(packed: Uint8Array, from: number, weights: Float32Array, to: number): void;
}

const BLOCK = 32;
const HALF = BLOCK / 2;
const FLOAT = 4;

/** How many weights are unpacked at once, so that the page stays free between. */
const AT_ONCE = 1 << 19;

/** The type of floats of 32 bits. */
const F32 = 0;

/** Packings by the number of their type. */
const PACKINGS: ReadonlyMap<number, Packing> = new Map<number, Packing>([
  [1, { bytes: 2 * BLOCK, unpack: unpackF16 }],
  [2, { bytes: 2 + HALF, unpack: unpackQ40 }],
  [3, { bytes: 4 + HALF, unpack: unpackQ41 }],
  [8, { bytes: 2 + BLOCK, unpack: unpackQ80 }],
]);

/** The first read of a header, and the longest one that is tried. */
const FIRST_READ = 4 << 20;
const LONGEST_READ = 64 << 20;

/** Bytes of a value in the header by the number of its type; texts and lists are none of them. */
// prettier-ignore
const VALUE_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 1], [1, 1], [2, 2], [3, 2], [4, 4], [5, 4], [6, 4], [7, 1], [10, 8], [11, 8], [12, 8],
]);
const TEXT = 8;
const LIST = 9;

/** A stretch of the unpacked file: so many bytes, of which any can be read. */
interface Stretch {
  readonly bytes: number;
  read(begin: number, end: number): Promise<Uint8Array>;
}

/**
 * Gives a GGUF file whose weights are unpacked.
 *
 * @param file one that is no GGUF file, or whose packing is not known, is given back as it is
 * @param mostBytes how long the unpacked file may be; one that would be longer is given back as it is
 */
export async function unpackedWeights(file: Blob, mostBytes: number): Promise<ReadableFile> {
  const header = await headerOf(file);
  if (!header?.tensors.some(packingOf)) return file;
  const begin = alignedTo(header.bytes.length, header.alignment);
  const total = header.tensors.reduce((sum, tensor) => sum + alignedTo(unpackedBytes(tensor), header.alignment), begin);
  if (total > mostBytes) return file;
  const told = new DataView(header.bytes.buffer);
  const stretches = [stretchOf(header.bytes), zeros(begin - header.bytes.length)];
  let offset = 0;
  for (const tensor of header.tensors) {
    const from = begin + tensor.offset;
    const packed = file.slice(from, from + tensor.bytes);
    const packing = packingOf(tensor);
    if (packing) told.setUint32(tensor.typeAt, F32, true);
    told.setBigUint64(tensor.offsetAt, BigInt(offset), true);
    const bytes = unpackedBytes(tensor);
    const aligned = alignedTo(bytes, header.alignment);
    stretches.push(packing ? unpackedStretch(packed, bytes, packing) : storedStretch(packed), zeros(aligned - bytes));
    offset += aligned;
  }
  return new UnpackedFile(stretches);
}

/** A file that is made as it is read. */
class UnpackedFile implements ReadableFile {
  readonly size: number;

  constructor(
    readonly stretches: readonly Stretch[],
    readonly begin = 0,
    end = stretches.reduce((sum, { bytes }) => sum + bytes, 0),
  ) {
    this.size = end - begin;
  }

  /** Gives a part of it, whose bounds are those of Blob's, except that none counts from the end. */
  slice(begin = 0, end = this.size): UnpackedFile {
    const from = Math.min(begin, this.size);
    return new UnpackedFile(this.stretches, this.begin + from, this.begin + Math.max(from, Math.min(end, this.size)));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const whole = new Uint8Array(this.size);
    let at = 0;
    for await (const piece of this.#pieces()) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole.buffer;
  }

  stream(): ReadableStream<Uint8Array> {
    const pieces = this.#pieces();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    let [from, left] = [this.begin, this.size];
    for (const { bytes, read } of this.stretches) {
      while (from < bytes && left > 0) {
        const end = Math.min(bytes, from + left, from + AT_ONCE * FLOAT);
        yield await read(from, end);
        left -= end - from;
        from = end;
      }
      from -= bytes;
      if (left === 0) return;
    }
  }
}

function stretchOf(bytes: Uint8Array): Stretch {
  return { bytes: bytes.length, read: async (begin, end) => bytes.slice(begin, end) };
}

function zeros(bytes: number): Stretch {
  return { bytes, read: async (begin, end) => new Uint8Array(end - begin) };
}

function storedStretch(stored: Blob): Stretch {
  const read = async (begin: number, end: number): Promise<Uint8Array> =>
    new Uint8Array(await stored.slice(begin, end).arrayBuffer());
  return { bytes: stored.size, read };
}

function unpackedStretch(packed: Blob, bytes: number, packing: Packing): Stretch {
  const read = async (begin: number, end: number): Promise<Uint8Array> => {
    const [first, last] = [Math.floor(begin / (BLOCK * FLOAT)), Math.ceil(end / (BLOCK * FLOAT))];
    const blocks = packed.slice(first * packing.bytes, last * packing.bytes);
    const stored = new Uint8Array(await blocks.arrayBuffer());
    const floats = new Float32Array((last - first) * BLOCK);
    for (let block = 0; block < last - first; block++)
      packing.unpack(stored, block * packing.bytes, floats, block * BLOCK);
    const skipped = begin - first * BLOCK * FLOAT;
    return new Uint8Array(floats.buffer, skipped, end - begin);
  };
  return { bytes, read };
}

/** Gives how a tensor's weights are packed, if it is known and they are all there. */
function packingOf({ type, weights, bytes }: Tensor): Packing | undefined {
  const packing = PACKINGS.get(type);
  return packing && weights % BLOCK === 0 && (weights / BLOCK) * packing.bytes <= bytes ? packing : undefined;
}

function unpackedBytes(tensor: Tensor): number {
  return packingOf(tensor) ? tensor.weights * FLOAT : tensor.bytes;
}

function unpackF16(packed: Uint8Array, from: number, weights: Float32Array, to: number): void {
  for (let index = 0; index < BLOCK; index++) weights[to + index] = half(packed, from + 2 * index);
}

function unpackQ40(packed: Uint8Array, from: number, weights: Float32Array, to: number): void {
  const scale = half(packed, from);
  unpackNibbles(packed, from + 2, weights, to, scale, -8 * scale);
}

function unpackQ41(packed: Uint8Array, from: number, weights: Float32Array, to: number): void {
  const scale = half(packed, from);
  unpackNibbles(packed, from + 4, weights, to, scale, half(packed, from + 2));
}

function unpackNibbles(
  packed: Uint8Array,
  from: number,
  weights: Float32Array,
  to: number,
  scale: number,
  least: number,
): void {
  for (let index = 0; index < HALF; index++) {
    const two = packed[from + index]!;
    weights[to + index] = (two & 15) * scale + least;
    weights[to + HALF + index] = (two >> 4) * scale + least;
  }
}

function unpackQ80(packed: Uint8Array, from: number, weights: Float32Array, to: number): void {
  const scale = half(packed, from);
  for (let index = 0; index < BLOCK; index++) weights[to + index] = ((packed[from + 2 + index]! << 24) >> 24) * scale;
}

/** What the last bit of a float of 16 bits is worth, by its exponent. */
const POWERS = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent - 25));

/** Gives the number that a float of 16 bits is. */
function half(packed: Uint8Array, at: number): number {
  const bits = packed[at]! | (packed[at + 1]! << 8);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * POWERS[1]!;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1024 + fraction) * POWERS[exponent]!;
}

/** Gives the header of a GGUF file; undefined for another file. */
async function headerOf(file: Blob): Promise<Header | undefined> {
  for (let length = FIRST_READ; length <= LONGEST_READ; length *= 4) {
    const bytes = await file.slice(0, length).arrayBuffer();
    try {
      return new HeaderReader(bytes, file.size).read();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // else it goes on behind what was read
    }
    if (length >= file.size) break;
  }
  return undefined;
}

/** Reads a header; throws RangeError where it goes on behind the bytes. */
class HeaderReader {
  readonly #view: DataView;
  #at = 4; // behind the letters GGUF, which were looked at

  constructor(
    readonly bytes: ArrayBuffer,
    readonly fileBytes: number,
  ) {
    this.#view = new DataView(bytes);
  }

  read(): Header {
    this.#uint32(); // the version of the form
    const [tensors, values] = [this.#uint64(), this.#uint64()];
    let alignment = 32;
    for (let index = 0; index < values; index++) {
      const name = this.#text();
      const type = this.#uint32();
      if (name === "general.alignment") alignment = this.#view.getUint32(this.#at, true);
      this.#skip(type);
    }
    if (alignment === 0 || alignment % 8 !== 0) throw new RangeError("no alignment");
    const found: Omit<Tensor, "bytes">[] = [];
    for (let index = 0; index < tensors; index++) found.push(this.#tensor());
    const header = new Uint8Array(this.bytes.slice(0, this.#at));
    const most = this.fileBytes - alignedTo(this.#at, alignment);
    found.sort((one, other) => one.offset - other.offset);
    const spans = found.map((tensor, index) => (found[index + 1]?.offset ?? most) - tensor.offset);
    if (spans.some((span) => span < 0)) throw new RangeError("a tensor lies outside of the file");
    return { bytes: header, alignment, tensors: found.map((tensor, index) => ({ ...tensor, bytes: spans[index]! })) };
  }

  #tensor(): Omit<Tensor, "bytes"> {
    this.#text();
    let weights = 1;
    for (let left = this.#uint32(); left > 0; left--) weights *= this.#uint64();
    const typeAt = this.#at;
    const type = this.#uint32();
    const offsetAt = this.#at;
    return { typeAt, offsetAt, type, offset: this.#uint64(), weights };
  }

  #skip(type: number): void {
    const bytes = VALUE_BYTES.get(type);
    if (bytes !== undefined) this.#at += bytes;
    else if (type === TEXT) this.#text();
    else if (type === LIST) this.#skipList();
    else throw new RangeError(`no type ${type}`);
  }

  #skipList(): void {
    const type = this.#uint32();
    const count = this.#uint64();
    const bytes = VALUE_BYTES.get(type);
    if (bytes !== undefined) this.#at += bytes * count;
    else for (let index = 0; index < count; index++) this.#skip(type);
  }

  #text(): string {
    const length = this.#uint64();
    const text = new Uint8Array(this.bytes, this.#at, length);
    this.#at += length;
    return new TextDecoder().decode(text);
  }

  #uint32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  #uint64(): number {
    this.#at += 8;
    return Number(this.#view.getBigUint64(this.#at - 8, true));
  }
}

function alignedTo(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
