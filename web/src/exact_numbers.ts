/**
 * JSON with every digit of its numbers.
 *
 * JavaScript's numbers hold whole numbers exactly up to 2^53 - 1 and have one form of each value, so JSON.parse and
 * JSON.stringify change what a person approved or a log says. Two readings keep it:
 *
 * - `parseExactly` is for those who compute with a value: a whole number past 2^53 - 1 is a BigInt.
 * - `parseVerbatim` is for those who pass a value on: a number that JavaScript would write otherwise is a `NumberText`.
 *
 * `writeExactly` writes both, and every other value, as JSON.
 */

const RAW = JSON as { rawJSON?: (text: string) => unknown; isRawJSON?: (value: unknown) => boolean };

/** A number as the text that JSON has for it. */
export class NumberText {
  constructor(readonly text: string) {}

  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  /** For a JSON.stringify that is not `writeExactly`: the text where the engine can, else the nearest number. */
  toJSON(): unknown {
    return RAW.rawJSON?.(this.text) ?? Number(this.text);
  }
}

/** Gives the number that JSON text stands for, so that `writeExactly` writes the same text again. */
export function exactNumber(text: string): number | NumberText {
  const value = Number(text);
  return String(value) === text ? value : new NumberText(text);
}

/** Tells whether a value is a number that is carried as its text. */
export function isCarriedAsText(value: unknown): boolean {
  return value instanceof NumberText || (RAW.isRawJSON?.(value) ?? false);
}

/**
 * Gives the value of JSON text; whole numbers past 2^53 - 1 in magnitude are BigInts, or what `large` makes of their digits.
 *
 * Throws SyntaxError as JSON.parse does.
 */
export function parseExactly(text: string, large: (digits: string) => unknown = BigInt): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  return new ValueReader(text, (number) => (isLarge(number) ? large(number) : Number(number))).read();
}

/** Gives the value of JSON text; numbers that JavaScript would write otherwise are `NumberText`s. Throws as JSON.parse does. */
export function parseVerbatim(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d{16}|\d[.eE]|-0/.test(text) ? new ValueReader(text, exactNumber).read() : value;
}

/** Gives a value as JSON, all numbers exact: BigInts as digits, -0 with its sign. Throws TypeError for a circle. */
export function writeExactly(value: unknown, indent?: number): string {
  // The numbers of the output, in its order; undefined for those that JSON.stringify writes exactly.
  const numbers: (string | undefined)[] = [];
  function replace(this: unknown, name: string, member: unknown): unknown {
    const own = (this as Record<string, unknown>)[name]; // before any toJSON, which pages like to give to BigInt
    const text = textOf(own);
    if (text !== undefined || writesNumber(member)) numbers.push(text);
    return text === undefined ? member : 0;
  }
  const text = JSON.stringify(value, replace, indent) as string | undefined;
  if (text === undefined) throw new TypeError(`expected a value that JSON has; got ${typeof value}`);
  return numbers.some((number) => number !== undefined) ? withNumbers(text, numbers) : text;
}

function isLarge(number: string): boolean {
  return /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
}

/** Gives the JSON text of a number that JSON.stringify does not write, or not exactly. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "bigint" || value instanceof NumberText) return value.toString();
  return Object.is(value, -0) ? "-0.0" : undefined;
}

/** Tells whether JSON.stringify writes digits for a value. */
function writesNumber(value: unknown): boolean {
  if (value instanceof Number) return Number.isFinite(value.valueOf());
  if (RAW.isRawJSON?.(value)) return typeof JSON.parse((value as { rawJSON: string }).rawJSON) === "number";
  return typeof value === "number" && Number.isFinite(value);
}

function withNumbers(text: string, numbers: readonly (string | undefined)[]): string {
  const parts: string[] = [];
  let copied = 0;
  let index = 0;
  for (const [begin, end] of numbersIn(text)) {
    const number = numbers[index++];
    if (number === undefined) continue;
    parts.push(text.slice(copied, begin), number);
    copied = end;
  }
  return parts.join("") + text.slice(copied);
}

/** Gives where the numbers of JSON text begin and end. */
function* numbersIn(text: string): Generator<[begin: number, end: number]> {
  const next = /["\d-]/g;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const end = found[0] === '"' ? endOfString(text, found.index) : endOfWord(text, found.index);
    if (found[0] !== '"') yield [found.index, end];
    next.lastIndex = end;
  }
}

/** Gives the end of the string that begins here, past its closing quote. */
function endOfString(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function endOfWord(text: string, begin: number): number {
  const end = /[\s,\]}]|$/g;
  end.lastIndex = begin;
  return end.exec(text)!.index;
}

/** Reads JSON text that JSON.parse has accepted, with numbers of its own. */
class ValueReader {
  #at = 0;

  constructor(
    readonly text: string,
    readonly number: (text: string) => unknown,
  ) {}

  read(): unknown {
    const first = this.#next();
    if (first === "{") return Object.fromEntries(this.#members("}", () => this.#member()));
    if (first === "[") return this.#members("]", () => this.read());
    const text = this.#word();
    return /[-\d]/.test(first) ? this.number(text) : (JSON.parse(text) as unknown);
  }

  #members<Member>(last: string, read: () => Member): Member[] {
    const found: Member[] = [];
    this.#at += 1;
    for (let char = this.#next(); char !== last; char = this.#next()) {
      if (char === ",") this.#at += 1;
      else found.push(read());
    }
    this.#at += 1;
    return found;
  }

  #member(): [string, unknown] {
    const name = JSON.parse(this.#word()) as string;
    this.#next(); // the colon
    this.#at += 1;
    return [name, this.read()];
  }

  /** Takes a string, number or name. */
  #word(): string {
    const begin = this.#at;
    this.#at = this.text[begin] === '"' ? endOfString(this.text, begin) : endOfWord(this.text, begin);
    return this.text.slice(begin, this.#at);
  }

  /** Gives the next character that is not blank. */
  #next(): string {
    while (" \t\n\r".includes(this.text[this.#at]!)) this.#at += 1;
    return this.text[this.#at]!;
  }
}
