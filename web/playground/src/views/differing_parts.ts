/** The first difference between two texts, with some of the text around it. */

export interface DifferingParts {
  readonly before: string;
  readonly left: string;
  readonly right: string;
  readonly after: string;
}

// Enough to see which member of the line it is.
const AROUND_CHARS = 48;

export function differingParts(one: string, other: string): DifferingParts {
  const begin = sharedBegin(one, other);
  const rest = Math.min(one.length, other.length) - begin;
  const end = Math.min(sharedBegin(backwards(one), backwards(other)), rest);
  const after = one.slice(one.length - end);
  return {
    before: begin > AROUND_CHARS ? `…${one.slice(begin - AROUND_CHARS, begin)}` : one.slice(0, begin),
    left: one.slice(begin, one.length - end),
    right: other.slice(begin, other.length - end),
    after: after.length > AROUND_CHARS ? `${after.slice(0, AROUND_CHARS)}…` : after,
  };
}

function sharedBegin(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return length;
}

const backwards = (text: string): string => text.split("").reverse().join("");
