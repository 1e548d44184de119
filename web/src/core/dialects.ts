/** Dialects of your own: functions that a core calls to read what models write, and to teach them the form. */
import { accepted, PurestepError } from "../errors.js";
import type { ToolSpec } from "../generated/wire.js";

/** A call in a text: the tool's name and its arguments. */
export interface TextCall {
  tool: string;
  params: Record<string, unknown>;
}

/** What a text says: an answer, or calls; `problems` name what of it was not read as written. */
export interface TextReading {
  content?: string;
  calls?: readonly TextCall[];
  problems?: readonly { code: string; message: string }[];
}

/** What a formatter holds back after a chunk, and what it shows. */
export interface FormattedText {
  held: string;
  text: string;
}

/** How calls and answers are written in text. All functions are pure: the same arguments give the same value. */
export interface DialectFunctions {
  /** The name that definitions say in `dialect`. */
  name: string;
  /** Reads an output; `tools` is null where any tool is known. Must not throw on any text. */
  read(text: string, tools: readonly ToolSpec[] | null): TextReading;
  /** Gives the part of the system text that teaches the form. */
  instruct(tools: readonly ToolSpec[]): string;
  /** Writes calls, or an answer, in this form. */
  write(sample: { calls: readonly TextCall[]; answer: string | null }): string;
  /** One sentence that repeats the form, for corrections. */
  remind: string;
  /** Pairs of markers whose inside no reader of the streamed text sees. */
  hidden?: readonly (readonly [begin: string, end: string])[];
  /** Gives the JSON Schema of a whole output; null where it has none. */
  constrain?(tools: readonly ToolSpec[], answerSchema: unknown): object | null;
  /** Shows streamed text: what was held back and a chunk go in; `isOver` with the last, empty one. */
  format?(held: string, chunk: string, isOver: boolean): FormattedText;
}

/** Registers in the interpreter: the dialect's data as JSON, and a function from a member's name and arguments to JSON. */
export type Register = (source: string, call: (member: string, given: string) => string) => string;

/** Makes a dialect known to a core. Throws PurestepError `invalid_input` or `unknown_dialect`. */
export function registerIn(register: Register, dialect: DialectFunctions): void {
  const { name, remind, hidden = [] } = dialect;
  for (const member of ["read", "instruct", "write"] as const) {
    if (typeof dialect[member] !== "function")
      throw new PurestepError("invalid_input", `expected the dialect to have a function ${member}`, `/${member}`);
  }
  const functions = (["constrain", "format"] as const).filter((member) => dialect[member] !== undefined);
  accepted(register(JSON.stringify({ name, remind, hidden, functions }), answering(dialect)));
}

/** No exception crosses: it would be slow, and take the interpreter's script along into what is printed. */
function answering(dialect: DialectFunctions): (member: string, given: string) => string {
  return (member, given) => {
    try {
      const value = valueOf(dialect, member, JSON.parse(given) as Given) ?? null;
      // As JSON a promise is an empty object, which would pass for a reading.
      if (value instanceof Promise) throw new Error("expected a value, got a promise: these functions are not async");
      return JSON.stringify({ value });
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
    }
  };
}

interface Given {
  text: string;
  tools: readonly ToolSpec[];
  calls: readonly TextCall[];
  answer: string | null;
  answer_schema: unknown;
  held: string;
  chunk: string;
  over: boolean;
}

function valueOf(dialect: DialectFunctions, member: string, given: Given): unknown {
  switch (member) {
    case "read":
      return dialect.read(given.text, given.tools);
    case "instruct":
      return dialect.instruct(given.tools);
    case "write":
      return dialect.write({ calls: given.calls, answer: given.answer });
    case "constrain":
      return dialect.constrain?.(given.tools, given.answer_schema);
    default:
      return dialect.format?.(given.held, given.chunk, given.over);
  }
}
