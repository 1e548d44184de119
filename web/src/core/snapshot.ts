/**
 * The heap snapshot of a started interpreter, stored as the difference to a newly initialised heap.
 *
 * Layout, little-endian: 8 words (magic, heap bytes, hash of the restored heap, JSON bytes, number of runs, 3 spare), the
 * JSON state, padding to 4, the runs, the raw pages. A run is one word: kind in the upper 2 bits (0 keep, 1 zero, 2 raw),
 * number of 4 KB pages below.
 */
import { PurestepError } from "../errors.js";

export const SNAPSHOT_MAGIC = 0x31505350; // "PSP1"
export const PAGE_BYTES = 4096;
export const HEADER_WORDS = 8;

export const RUN = { keep: 0, zero: 1, raw: 2 } as const;
const KIND_SHIFT = 30;
const COUNT_MASK = 2 ** KIND_SHIFT - 1;

export interface Snapshot {
  heapBytes: number;
  heapHash: number;
  /** What Pyodide keeps outside of the heap. */
  state: object;
  runs: Uint32Array;
  pages: Uint8Array;
}

/** Reads a snapshot's header; throws `bundle_damaged` if it is not a snapshot. */
export function readSnapshot(bytes: Uint8Array): Snapshot {
  // A Buffer's slice is no copy.
  const aligned = bytes.byteOffset % 4 ? new Uint8Array(bytes) : bytes;
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  const [magic, heapBytes, heapHash, stateBytes, runCount] = header as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (magic !== SNAPSHOT_MAGIC) throw unfit(`its first word is ${magic.toString(16)}`);
  const stateAt = HEADER_WORDS * 4;
  const runsAt = (stateAt + stateBytes + 3) & ~3;
  const text = new TextDecoder().decode(aligned.subarray(stateAt, stateAt + stateBytes));
  const runs = new Uint32Array(aligned.buffer, aligned.byteOffset + runsAt, runCount);
  return {
    heapBytes,
    heapHash,
    state: JSON.parse(text) as object,
    runs,
    pages: aligned.subarray(runsAt + runCount * 4),
  };
}

/** Restores the snapshot into the heap and gives Pyodide's state; throws if the result has another hash. */
export function applySnapshot(heap: Uint8Array, snapshot: Snapshot): object {
  if (heap.length !== snapshot.heapBytes) throw unfit(`the heap has ${heap.length} bytes, not ${snapshot.heapBytes}`);
  let at = 0;
  let taken = 0;
  for (const run of snapshot.runs) {
    const bytes = (run & COUNT_MASK) * PAGE_BYTES;
    const kind = run >>> KIND_SHIFT;
    if (kind === RUN.zero) heap.fill(0, at, at + bytes);
    if (kind === RUN.raw) {
      heap.set(snapshot.pages.subarray(taken, taken + bytes), at);
      taken += bytes;
    }
    at += bytes;
  }
  const found = heapHash(heap);
  if (found !== snapshot.heapHash) {
    throw new PurestepError(
      "heap_mismatch",
      `expected a restored heap with the hash ${snapshot.heapHash}; got ${found}: this host lays out a fresh heap in another way`,
    );
  }
  return snapshot.state;
}

/** Packs one run. */
export function packRun(kind: number, pages: number): number {
  return ((kind << KIND_SHIFT) | pages) >>> 0;
}

/** A 32-bit hash of the whole heap; four lanes, since one multiplication would wait for the other. Source: FNV-1a's step. */
export function heapHash(heap: Uint8Array): number {
  const words = new Int32Array(heap.buffer, heap.byteOffset, heap.length >> 2);
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  for (let index = 0; index < words.length; index += 4) {
    a = Math.imul(a ^ words[index]!, 16777619);
    b = Math.imul(b ^ words[index + 1]!, 16777619);
    c = Math.imul(c ^ words[index + 2]!, 16777619);
    d = Math.imul(d ^ words[index + 3]!, 16777619);
  }
  return (a ^ Math.imul(b, 3) ^ Math.imul(c, 5) ^ Math.imul(d, 7)) >>> 0;
}

function unfit(found: string): PurestepError {
  return new PurestepError("bundle_damaged", `expected a snapshot of this version; ${found}`);
}
