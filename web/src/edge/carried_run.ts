/** A run as a chat's client carries it: the lines of its log in pieces, and a seal. */

/** A part of a run that the client keeps and sends back; parts of one message, or of one thread, are merged. */
export interface CarriedRun {
  /** Lines of the log, by the number of the first of them: so they stay in order where they are merged. */
  log: Record<string, string>;
  /** That of the last of these lines; left out by a service that is unsigned. */
  seal?: string;
}

const LINE_NUMBER = /^[1-9][0-9]{0,8}$/;

/** Tells whether a value has the shape of what the service gave; whether it is the same, the seal says. */
export function isCarried(value: unknown): value is CarriedRun {
  if (!isObject(value)) return false;
  const { log, seal } = value as Partial<CarriedRun>;
  if (!isObject(log) || (seal !== undefined && typeof seal !== "string")) return false;
  return Object.entries(log).every(([number, lines]) => LINE_NUMBER.test(number) && typeof lines === "string");
}

/** Gives the log and the seal that these parts make, as members of a request. */
export function carriedMembers(parts: readonly CarriedRun[]): [string, string][] {
  const log = parts.flatMap((part) => Object.values(part.log)).join(""); // whole numbers as names come in their order
  const { seal } = parts.at(-1) ?? {};
  return Object.entries({ log, seal }).filter((entry): entry is [string, string] => Boolean(entry[1]));
}

/** Tells whether a value is a JSON object. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
