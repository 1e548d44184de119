/**
 * The heap snapshot of a started interpreter, stored as the difference to a newly initialised heap.
 *
 * Layout, little-endian: 8 words (magic, heap bytes, hash of what is kept, JSON bytes, number of runs, 3 spare), the
 * JSON state, padding to 4, the runs, the raw pages. A run is one word: kind in the upper 2 bits (0 keep, 1 zero, 2 raw,
 * 3 later), number of 4 KB pages below. The rest of the interpreter brings what comes later; until then such a page
 * holds ones, so that an address read from it ends the call.
 */
import { PurestepError } from "../errors.js";

export const SNAPSHOT_MAGIC = 0x31505350; // "PSP1"
export const PAGE_BYTES = 4096;
export const HEADER_WORDS = 8;

export const RUN = { keep: 0, zero: 1, raw: 2, later: 3 } as const;
/** What a page holds until its data is here. */
export const LATER = 0xff;
const KIND_SHIFT = 30;
const COUNT_MASK = 2 ** KIND_SHIFT - 1;

export interface Snapshot {
  heapBytes: number;
  keptHash: number;
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
  const [magic, heapBytes, keptHash, stateBytes, runCount] = header as unknown as [
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
    keptHash,
    state: JSON.parse(text) as object,
    runs,
    pages: aligned.subarray(runsAt + runCount * 4),
  };
}

/**
 * Restores the snapshot into the grown heap and gives Pyodide's state; throws if what it keeps of a fresh heap has another
 * hash. `fresh` is the size before growing: memory that was added is zero everywhere, so that nothing there can differ.
 */
export function applySnapshot(heap: Uint8Array, snapshot: Snapshot, fresh: number): object {
  if (heap.length !== snapshot.heapBytes) throw unfit(`the heap has ${heap.length} bytes, not ${snapshot.heapBytes}`);
  const found = keptHash(heap.subarray(0, fresh), snapshot.runs);
  if (found !== snapshot.keptHash) {
    throw new PurestepError(
      "heap_mismatch",
      `expected a fresh heap with the hash ${snapshot.keptHash}; got ${found}: this host lays it out in another way`,
    );
  }
  let taken = 0;
  for (const { kind, from, to } of ranges(snapshot.runs)) {
    if (kind === RUN.zero) heap.fill(0, from, to);
    if (kind === RUN.later) heap.fill(LATER, from, to);
    if (kind !== RUN.raw) continue;
    heap.set(snapshot.pages.subarray(taken, taken + to - from), from);
    taken += to - from;
  }
  return snapshot.state;
}

function* ranges(runs: Uint32Array): Generator<{ kind: number; from: number; to: number }> {
  let from = 0;
  for (const run of runs) {
    const to = from + (run & COUNT_MASK) * PAGE_BYTES;
    yield { kind: run >>> KIND_SHIFT, from, to };
    from = to;
  }
}

/** Packs one run. */
export function packRun(kind: number, pages: number): number {
  return ((kind << KIND_SHIFT) | pages) >>> 0;
}

/**
 * A 32-bit hash of the pages of a fresh heap that the runs keep: all else is written from a file whose hash is known.
 *
 * Four lanes, since one multiplication would wait for the other. Source: FNV-1a's step.
 */
export function keptHash(fresh: Uint8Array, runs: Uint32Array): number {
  const words = new Int32Array(fresh.buffer, fresh.byteOffset, fresh.length >> 2);
  let [a, b, c, d] = [1, 2, 3, 4];
  for (const { kind, from, to } of ranges(runs)) {
    if (kind !== RUN.keep) continue;
    const end = Math.min(to, fresh.length) >> 2;
    for (let index = from >> 2; index < end; index += 4) {
      a = Math.imul(a ^ words[index]!, 16777619);
      b = Math.imul(b ^ words[index + 1]!, 16777619);
      c = Math.imul(c ^ words[index + 2]!, 16777619);
      d = Math.imul(d ^ words[index + 3]!, 16777619);
    }
  }
  return (a ^ Math.imul(b, 3) ^ Math.imul(c, 5) ^ Math.imul(d, 7)) >>> 0;
}

function unfit(found: string): PurestepError {
  return new PurestepError("bundle_damaged", `expected a snapshot of this version; ${found}`);
}
