/**
 * Arithmetic by recursive descent, with bounds on length, depth and size of numbers; the same as on native hosts.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = signed { ("*" | "/" | "//" | "%") signed }
 *     signed  = ("-" | "+") signed | power
 *     power   = atom [ ("**" | "^") signed ]
 *     atom    = number | constant | function "(" sum { "," sum } ")" | "(" sum ")"
 *
 * A power binds tighter than the sign before it and to the right: -2 ** 2 is -4 and 2 ** 3 ** 2 is 512.
 */
import * as numbers from "./numbers.js";
import { bounded, CalculatorError, float, type Num, whole } from "./numbers.js";

export { CalculatorError } from "./numbers.js";

// No sum that a person writes is longer.
export const MAX_EXPRESSION_CHARS = 500;
// Nobody nests deeper, and it is far below the stack of any host.
const MAX_DEPTH = 50;

// White space, letters and digits are ASCII's, so that every host reads the same tokens.
const TOKEN = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z]\w*|\*\*|\/\/|[^ \t\n\r\f\v]/gu;
const NUMBER = /^[0-9]|^\../;

type Operation = (a: Num, b: Num) => Num;

const SUMS: ReadonlyMap<string, Operation> = new Map([
  ["+", numbers.add],
  ["-", numbers.subtract],
]);
const PRODUCTS: ReadonlyMap<string, Operation> = new Map([
  ["*", numbers.multiply],
  ["/", numbers.divide],
  ["//", numbers.floorDivide],
  ["%", numbers.modulo],
]);
const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

interface KnownFunction {
  readonly compute: (...values: Num[]) => Num;
  readonly fewest: number;
  readonly most: number;
}

const FUNCTIONS: ReadonlyMap<string, KnownFunction> = new Map([
  ["abs", one(numbers.absolute)],
  ["ceil", one((value) => (typeof value === "bigint" ? value : whole(Math.ceil(value))))],
  ["cos", ofFloat(Math.cos)],
  ["exp", ofFloat(Math.exp)],
  ["floor", one((value) => (typeof value === "bigint" ? value : whole(Math.floor(value))))],
  ["log", { compute: log, fewest: 1, most: 2 }],
  ["log10", one(numbers.log10)],
  ["log2", one(numbers.log2)],
  [
    "max",
    { compute: (...values) => values.reduce((most, value) => (value > most ? value : most)), fewest: 2, most: 20 },
  ],
  [
    "min",
    { compute: (...values) => values.reduce((least, value) => (value < least ? value : least)), fewest: 2, most: 20 },
  ],
  ["round", one(numbers.round)],
  ["sin", ofFloat(Math.sin)],
  ["sqrt", ofFloat(Math.sqrt)],
  ["tan", ofFloat(Math.tan)],
]);

/** Gives the value of an expression; throws CalculatorError. */
export function calculate(expression: string): Num {
  if ([...expression].length > MAX_EXPRESSION_CHARS) {
    throw new CalculatorError(`the expression is longer than ${MAX_EXPRESSION_CHARS} characters`);
  }
  const parser = new Parser([...(expression.match(TOKEN) ?? []), ""]);
  const value = parser.sum(0);
  parser.expectEnd();
  return value;
}

function one(compute: (value: Num) => Num): KnownFunction {
  return { compute: (value) => compute(value!), fewest: 1, most: 1 };
}

function ofFloat(compute: (value: number) => number): KnownFunction {
  return one((value) => compute(float(value)));
}

function log(value?: Num, base?: Num): Num {
  const found = numbers.log(value!);
  return base === undefined ? found : numbers.divide(found, numbers.log(base));
}

/** Reads tokens from left to right and computes as it goes; the last token is empty. */
class Parser {
  #at = 0;

  constructor(readonly tokens: readonly string[]) {}

  sum(depth: number): Num {
    if (depth > MAX_DEPTH) throw new CalculatorError(`more than ${MAX_DEPTH} levels of parentheses`);
    let value = this.#product(depth);
    for (let operation = SUMS.get(this.#peek()); operation; operation = SUMS.get(this.#peek())) {
      this.#take();
      value = bounded(operation(value, this.#product(depth)));
    }
    return value;
  }

  expectEnd(): void {
    const token = this.#peek();
    if (token) throw new CalculatorError(`unexpected ${quoted(token)}; expected an operator or the end`);
  }

  #product(depth: number): Num {
    let value = this.#signed(depth);
    for (let operation = PRODUCTS.get(this.#peek()); operation; operation = PRODUCTS.get(this.#peek())) {
      this.#take();
      value = bounded(operation(value, this.#signed(depth)));
    }
    return value;
  }

  #signed(depth: number): Num {
    let negative = false;
    while (SUMS.has(this.#peek())) negative = (this.#take() === "-") !== negative;
    const value = this.#power(depth);
    return negative ? -value : value;
  }

  #power(depth: number): Num {
    const base = this.#atom(depth);
    if (this.#peek() !== "**" && this.#peek() !== "^") return base;
    this.#take();
    if (depth > MAX_DEPTH) throw new CalculatorError("too many powers of powers");
    return numbers.power(base, this.#signed(depth + 1));
  }

  #atom(depth: number): Num {
    const token = this.#take();
    if (token === "(") {
      const value = this.sum(depth + 1);
      this.#close();
      return value;
    }
    const known = FUNCTIONS.get(token);
    if (known) return this.#function(token, known, depth);
    const constant = CONSTANTS.get(token);
    if (constant !== undefined) return constant;
    if (NUMBER.test(token)) return literal(token);
    throw new CalculatorError(token ? `unexpected ${quoted(token)}; expected a number` : "the expression ends early");
  }

  #function(name: string, { compute, fewest, most }: KnownFunction, depth: number): Num {
    if (this.#take() !== "(") throw new CalculatorError(`expected ( after ${name}`);
    const values = [this.sum(depth + 1)];
    while (this.#peek() === ",") {
      this.#take();
      values.push(this.sum(depth + 1));
    }
    this.#close();
    if (values.length < fewest || values.length > most) {
      throw new CalculatorError(`${name} takes ${fewest} to ${most} values, not ${values.length}`);
    }
    return bounded(compute(...values));
  }

  #close(): void {
    if (this.#take() !== ")") throw new CalculatorError("a parenthesis is not closed");
  }

  #peek(): string {
    return this.tokens[this.#at]!;
  }

  #take(): string {
    const token = this.#peek();
    if (token !== "") this.#at += 1;
    return token;
  }
}

function literal(token: string): Num {
  return /^\d+$/.test(token) ? BigInt(token) : bounded(Number(token));
}

/** Quotes a token as native hosts do: what cannot be seen is written as its number. */
function quoted(token: string): string {
  const inner = token.replaceAll("\\", "\\\\").replace(/[\p{C}\p{Zl}\p{Zp}\p{Zs}]/gu, escaped);
  return token.includes("'") ? `"${inner}"` : `'${inner}'`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0)!;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
