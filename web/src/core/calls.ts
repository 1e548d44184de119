/**
 * Calls of the core's JSON functions from JavaScript.
 *
 * Short text crosses as a Python str. That costs 5 to 25 ns a character and grows faster than the text, so long text
 * crosses as UTF-8 through two buffers that Python keeps, at 2 us a call and 0.3 to 5 ns a character.
 */
import type { Register } from "./dialects.js";
import type { Interpreter } from "./interpreter.js";

export type Call = (name: string, ...args: (string | null)[]) => string;

/** From this many UTF-16 units in all arguments together, text goes through the buffer. */
export const LONG_TEXT = 512;

const encoder = new TextEncoder();
const decoder = new TextDecoder(undefined, { ignoreBOM: true }); // keeps every byte of the output

type Text = string | null;
type Proxy = ((...args: unknown[]) => unknown) & { destroy(): void };

interface BufferView {
  data: Uint8Array;
  release(): void;
}

export interface Calls {
  call: Call;
  /** Registers a dialect whose functions are JavaScript's. */
  register: Register;
  /** Releases all Python objects, which a snapshot must not contain. */
  release(): void;
}

/** Gives the calls of an interpreter that has the module `purestep_calls`, and how to release what they hold. */
export function openCalls(python: Interpreter): Calls {
  const get = (name: string) => python.get("purestep_calls", name) as Proxy;
  const register = get("register");
  const makers = { callable: get("callable"), long: get("call_long"), no_room: get("no_room"), register };
  const input = new SharedBuffer(get("input_of"));
  const output = new SharedBuffer(get("output_of"));
  const callables = new Map<string, Proxy>();
  const callable = (name: string): Proxy => {
    const known = callables.get(name);
    if (known) return known;
    const found = makers.callable(name) as Proxy;
    callables.set(name, found);
    return found;
  };
  const long = (name: string, args: readonly Text[], units: number): unknown => {
    const room = input.of(units * 3); // the most that UTF-8 takes for a UTF-16 unit
    return room ? makers.long(name, ...written(args, room)) : makers.no_room();
  };
  const call: Call = (name, ...args) => {
    const units = unitsOf(args);
    const result =
      units < LONG_TEXT
        ? // None is what JavaScript's undefined becomes; null would be an object of its own.
          callable(name)(...args.map((text) => text ?? undefined))
        : long(name, args, units);
    return typeof result === "string"
      ? result
      : decoder.decode(output.of(result as number)!.subarray(0, result as number)); // Python has allocated it
  };
  const release = () => {
    input.release();
    output.release();
    for (const proxy of [...callables.values(), ...Object.values(makers)]) proxy.destroy();
  };
  return { call, register: (source, answer) => register(source, answer) as string, release };
}

function unitsOf(args: readonly Text[]): number {
  let units = 0;
  for (const text of args) units += text?.length ?? 0;
  return units;
}

/** Writes the arguments one after the other; gives their lengths, -1 for null. Lone surrogates become U+FFFD, as in the core. */
function written(args: readonly Text[], buffer: Uint8Array): number[] {
  let at = 0;
  return args.map((text) => {
    if (text === null) return -1;
    const { written: length } = encoder.encodeInto(text, buffer.subarray(at));
    at += length;
    return length;
  });
}

/** A buffer of Python as bytes; the view is renewed whenever the interpreter's memory grows. */
class SharedBuffer {
  private view: BufferView | undefined;

  constructor(private readonly maker: Proxy) {}

  /** Gives the buffer with room for this many bytes; undefined if memory is exhausted. */
  of(bytes: number): Uint8Array | undefined {
    if (this.view && this.view.data.byteLength >= bytes) return this.view.data;
    // As long as Python's buffer is seen from here, it cannot be freed.
    this.view?.release();
    this.view = undefined;
    const made = this.maker(bytes) as { getBuffer(kind: "u8"): BufferView; destroy(): void } | undefined;
    if (!made) return undefined;
    this.view = made.getBuffer("u8");
    made.destroy();
    return this.view.data;
  }

  release(): void {
    this.view?.release();
    this.maker.destroy();
  }
}
