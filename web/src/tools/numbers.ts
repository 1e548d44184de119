/**
 * Whole numbers without bound and floating-point ones, computed with as native hosts compute with them.
 *
 * A bigint is a whole number, a number is a floating-point one. What overflows, or has no value, throws.
 */
export type Num = bigint | number;

/** A computation has no value; the message says why. */
export class CalculatorError extends Error {
  override readonly name = "CalculatorError";
}

// 4,096 bits hold 1,233 digits; larger whole numbers only cost time.
const MAX_BITS = 4096;
// The digits that a floating-point number is shown with: all that hold, less the last, which is noise.
const DIGITS = 15;
// JSON readers agree on whole numbers of 64 bits at most; larger ones become floating-point numbers.
const MAX_EXACT = 2n ** 63n - 1n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
// A quotient with this many bits more than a float holds is rounded once.
const QUOTIENT_BITS = 66;

/** The value is undefined or too large. */
export function undefinedValue(): CalculatorError {
  return new CalculatorError("the value is undefined or too large");
}

function byZero(): CalculatorError {
  return new CalculatorError("division by zero");
}

/** Gives a number that is real, finite and of bounded size. */
export function bounded(value: Num): Num {
  if (typeof value === "bigint") {
    if (bits(value) > MAX_BITS) throw new CalculatorError("the value is too large");
    return value;
  }
  if (!Number.isFinite(value)) throw undefinedValue();
  return value;
}

/** Gives a value as a float; throws when it is too large for one. */
export function float(value: Num): number {
  const found = Number(value);
  if (!Number.isFinite(found)) throw undefinedValue();
  return found;
}

/** Gives a float without fraction as a whole number. */
export function whole(value: number): bigint {
  if (!Number.isFinite(value)) throw undefinedValue();
  return BigInt(value);
}

export function add(a: Num, b: Num): Num {
  return typeof a === "bigint" && typeof b === "bigint" ? a + b : float(a) + float(b);
}

export function subtract(a: Num, b: Num): Num {
  return typeof a === "bigint" && typeof b === "bigint" ? a - b : float(a) - float(b);
}

export function multiply(a: Num, b: Num): Num {
  return typeof a === "bigint" && typeof b === "bigint" ? a * b : float(a) * float(b);
}

/** The true quotient, rounded once. */
export function divide(a: Num, b: Num): Num {
  if (Number(b) === 0) throw byZero();
  if (typeof a !== "bigint" || typeof b !== "bigint") return float(a) / float(b);
  if (a >= -MAX_SAFE && a <= MAX_SAFE && b >= -MAX_SAFE && b <= MAX_SAFE) return Number(a) / Number(b);
  const negative = a < 0n !== b < 0n;
  const quotient = largeQuotient(magnitude(a), magnitude(b));
  return float(negative ? -quotient : quotient);
}

/** Rounds towards minus infinity. */
export function floorDivide(a: Num, b: Num): Num {
  if (Number(b) === 0) throw byZero();
  if (typeof a === "bigint" && typeof b === "bigint") return (a - floorMod(a, b)) / b;
  const [x, y] = [float(a), float(b)];
  const rest = modulo(x, y) as number;
  const quotient = (x - rest) / y;
  if (quotient === 0) return x / y < 0 ? -0 : 0;
  const floored = Math.floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

/** The rest of floor_divide; it has the sign of `b`. */
export function modulo(a: Num, b: Num): Num {
  if (Number(b) === 0) throw byZero();
  if (typeof a === "bigint" && typeof b === "bigint") return floorMod(a, b);
  const [x, y] = [float(a), float(b)];
  const rest = x % y;
  if (rest === 0) return y < 0 ? -0 : 0;
  return rest < 0 !== y < 0 ? rest + y : rest;
}

export function power(base: Num, exponent: Num): Num {
  if (typeof base === "bigint" && typeof exponent === "bigint") {
    if (magnitude(base) > 1n && float(magnitude(exponent)) * log2(magnitude(base)) > MAX_BITS) {
      throw new CalculatorError("the power is too large");
    }
    if (exponent >= 0n) return bounded(base ** exponent);
  }
  const [x, y] = [float(base), float(exponent)];
  if (x === 0 && y < 0) throw byZero();
  return bounded(x ** y);
}

export function absolute(value: Num): Num {
  return typeof value === "bigint" ? magnitude(value) : Math.abs(value);
}

/** The logarithm to base 2, also of whole numbers that are no float; throws for what is not positive. */
export function log2(value: Num): number {
  return logarithm(value, Math.log2, 1);
}

export function log10(value: Num): number {
  return logarithm(value, Math.log10, Math.log10(2));
}

export function log(value: Num): number {
  return logarithm(value, Math.log, Math.LN2);
}

/** Rounds to the nearest whole number, and halves to the even one. */
export function round(value: Num): bigint {
  if (typeof value === "bigint") return value;
  const floored = Math.floor(value);
  const over = value - floored;
  const up = over > 0.5 || (over === 0.5 && floored % 2 !== 0);
  return whole(up ? floored + 1 : floored);
}

/**
 * Gives a value as JSON readers agree on it: whole where exact, to 15 digits where not.
 *
 * A whole number past 2^53 comes as `JSON.rawJSON`, where the host has that: a number of JavaScript's would lose its
 * last digits. Throws CalculatorError when it is too large even for a float.
 */
export function plainNumber(value: Num): unknown {
  if (typeof value === "bigint" && magnitude(value) <= MAX_EXACT) return exact(value);
  const rounded = Number(fifteenDigits(Number(value)));
  if (!Number.isFinite(rounded)) throw new CalculatorError("the value is too large");
  return rounded === 0 ? 0 : rounded; // JSON has no minus zero
}

function exact(value: bigint): unknown {
  if (magnitude(value) <= MAX_SAFE) return Number(value);
  const raw = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;
  return raw ? raw(String(value)) : Number(value);
}

function fifteenDigits(value: number): string {
  if (!Number.isFinite(value)) return "Infinity";
  const shown = value.toPrecision(DIGITS);
  // toPrecision rounds halves up, native hosts to the even digit; a half shows as such in all its digits.
  const [digits = ""] = value.toExponential(60).replace(/[-.]/g, "").split("e");
  const isHalf = /^50*$/.test(digits.slice(DIGITS));
  if (!isHalf || Number(digits[DIGITS - 1]) % 2 !== 0) return shown;
  const [mantissa, exponent] = value.toExponential(60).split("e") as [string, string];
  return `${mantissa.slice(0, mantissa.indexOf(".") + DIGITS)}e${exponent}`;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function bits(value: bigint): number {
  return value === 0n ? 0 : magnitude(value).toString(2).length;
}

function floorMod(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

/** Gives a / b of positive whole numbers of any size, from as many bits of the quotient as decide its rounding. */
function largeQuotient(a: bigint, b: bigint): number {
  const shift = QUOTIENT_BITS + bits(b) - bits(a);
  const [above, below] = shift >= 0 ? [a << BigInt(shift), b] : [a, b << BigInt(-shift)];
  const inexact = above % below !== 0n ? 1n : 0n;
  let found = Number((above / below) | inexact);
  // In steps, since the whole power may not be a float.
  for (let left = -shift; left !== 0;) {
    const step = Math.max(-1000, Math.min(1000, left));
    found *= 2 ** step;
    left -= step;
  }
  return found;
}

function logarithm(value: Num, ofFloat: (value: number) => number, ofTwo: number): number {
  if (value <= 0) throw undefinedValue();
  if (typeof value === "number" || Number.isFinite(Number(value))) return ofFloat(Number(value));
  const shift = bits(value) - 64;
  return ofFloat(Number(value >> BigInt(shift))) + shift * ofTwo;
}
