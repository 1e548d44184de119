/**
 * The texts of approval codes: what is asked, and what is answered.
 *
 * A shape writes the one text of a value: its members in one order, those that say nothing left out. What is read has to
 * be the text that would be written of it, so nothing can stand in it twice, besides, or in another form.
 */
import type { ArgumentOrigin, Problem } from "../generated/wire.js";

export const REQUEST_FORMAT = "purestep-approval-1";
export const ANSWER_FORMAT = "purestep-answer-1";

/** Why a person refuses: a paragraph. */
export const MAX_REASON_CHARS = 1000;
const MAX_CALLS = 64; // as many as a turn has

/** What a tool's definition says of its effects. */
export interface Hints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A call as a person is shown it; `params_json` is the JSON text of its arguments, of which nothing is cut. */
export interface RequestedCall {
  readonly call_id: string;
  readonly key: string;
  readonly tool: string;
  readonly path?: readonly string[];
  readonly description?: string;
  readonly annotations?: Hints;
  readonly params_json: string;
  readonly reason: string;
  readonly note?: string;
  readonly problems?: readonly Problem[];
  readonly origins?: readonly ArgumentOrigin[];
}

/** What a person is asked; `host` is a raw public key, and `approvers` are fingerprints: none of them for everybody. */
export interface RequestText {
  readonly format: typeof REQUEST_FORMAT;
  readonly host: string;
  readonly name: string;
  readonly run_id: string;
  readonly head: string;
  /** In milliseconds since 1970. */
  readonly expires_at: number;
  readonly approvers: readonly string[];
  readonly calls: readonly RequestedCall[];
}

/** The answer about one call; only a refusal has a reason. */
export interface Said {
  readonly approved: boolean;
  readonly reason?: string;
}

/** What a person answers about all calls of one request; `request` is the digest of its text, `at` the person's clock. */
export interface AnswerText {
  readonly format: typeof ANSWER_FORMAT;
  readonly run_id: string;
  readonly request: string;
  readonly expires_at: number;
  readonly at: number;
  readonly key: string;
  readonly answers: readonly Said[];
}

/** Gives a request's text; undefined for a value that is none. */
export const writtenRequest = (value: RequestText): string | undefined => attempted(() => REQUEST(value));

/** Gives an answer's text; undefined for a value that is none. */
export const writtenAnswer = (value: AnswerText): string | undefined => attempted(() => ANSWER(value));

/** Gives what a request's text says; undefined for a text that is none. */
export const readRequestText = (text: string): RequestText | undefined => read<RequestText>(text, REQUEST);

/** Gives what an answer's text says; undefined for a text that is none. */
export function readAnswerText(text: string): AnswerText | undefined {
  const answer = read<AnswerText>(text, ANSWER);
  return answer?.answers.some(({ approved, reason }) => approved && reason) ? undefined : answer;
}

function read<Value>(text: string, shape: Shape): Value | undefined {
  const value = attempted(() => JSON.parse(text) as Value);
  return value !== undefined && attempted(() => shape(value)) === text ? value : undefined;
}

function attempted<Value>(give: () => Value): Value | undefined {
  try {
    return give();
  } catch {
    return undefined;
  }
}

/** Writes a value as JSON; throws for one that it is not the shape of. */
type Shape = (value: unknown) => string;

function string(fits: (text: string) => boolean = () => true): Shape {
  return (value) => written(value, typeof value === "string" && fits(value));
}

function list(shape: Shape, least = 0): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > MAX_CALLS * MAX_CALLS) throw new TypeError();
    return `[${value.map(shape).join(",")}]`;
  };
}

/** optional: those that are left out where they are empty. */
function object(required: Record<string, Shape>, optional: readonly string[] = []): Shape {
  return (value) => {
    if (typeof value !== "object" || value === null) throw new TypeError();
    const given = value as Record<string, unknown>;
    const parts = Object.entries(required)
      .filter(([name]) => !optional.includes(name) || !isEmpty(given[name]))
      .map(([name, shape]) => `${JSON.stringify(name)}:${shape(given[name])}`);
    return `{${parts.join(",")}}`;
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function written(value: unknown, fits: boolean): string {
  if (!fits) throw new TypeError();
  return JSON.stringify(value);
}

const text = string();
const texts = list(text);
const bool: Shape = (value) => written(value, typeof value === "boolean");
const millis: Shape = (value) => written(value, Number.isSafeInteger(value) && (value as number) >= 0);
const matching = (pattern: RegExp): Shape => string((given) => pattern.test(given));
const key = matching(/^[A-Za-z0-9_-]{43}$/);

const HINTS: Record<string, Shape> = {
  readOnlyHint: bool,
  destructiveHint: bool,
  idempotentHint: bool,
  openWorldHint: bool,
};
export const HINT_NAMES = Object.keys(HINTS) as readonly (keyof Hints)[];

const CALL = object(
  {
    call_id: text,
    key: text,
    tool: text,
    path: texts,
    description: text,
    annotations: object(HINTS, HINT_NAMES),
    params_json: text,
    reason: text,
    note: text,
    problems: list(object({ code: text, message: text })),
    origins: list(
      object(
        { path: text, source: matching(/^(?:user|data|result|model)$/), call_id: text, tool: text, labels: texts },
        ["call_id", "tool", "labels"],
      ),
    ),
  },
  ["path", "description", "annotations", "note", "problems", "origins"],
);

const REQUEST = object({
  format: matching(/^purestep-approval-1$/),
  host: key,
  name: text,
  run_id: text,
  head: matching(/^[0-9a-f]{64}$/),
  expires_at: millis,
  approvers: list(matching(/^[0-9a-f]{24}$/)),
  calls: (value) => list(CALL, 1)((value as readonly unknown[]).length > MAX_CALLS ? undefined : value),
});

const ANSWER = object({
  format: matching(/^purestep-answer-1$/),
  run_id: text,
  request: key,
  expires_at: millis,
  at: millis,
  key,
  answers: list(
    object({ approved: bool, reason: string((given) => [...given].length <= MAX_REASON_CHARS) }, ["reason"]),
    1,
  ),
});
