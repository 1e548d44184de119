/**
 * The responses of the edge service: JSON, one shape of error, and two tables from codes to HTTP statuses.
 *
 * An error is `{"error": {"code", "message", "path"}}`, as everywhere in purestep.
 */
import { PurestepError } from "../errors.js";

/** The status of a run or skill that ended with `failed`, by the decision's code; any other code is a 500. */
export const STATUS_OF_FAILURE: Readonly<Record<string, number>> = {
  // A check of the definition rejected the output, also after corrections.
  guardrail: 422,
  postcondition: 422,
  obligation: 422,
  tool_choice: 422,
  answer_schema: 422,
  // A policy of the definition refused the answer.
  answer_refused: 422,
  // The definition's own limit of time.
  deadline: 504,
  // The faults of a skill.
  EmptyInput: 400,
  InvalidTarget: 400,
  MalformedOutput: 400,
  SchemaViolation: 400,
  HallucinationDetected: 400,
  UnknownSkill: 400,
};

/** The status of an error, by its code; any other code is an error in the request: 400. */
export const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  forbidden_origin: 403,
  seal_invalid: 403,
  seal_expired: 403,
  not_found: 404,
  method_not_allowed: 405,
  slow_body: 408,
  seal_spent: 409,
  body_too_large: 413,
  run_too_large: 413,
  input_too_large: 413,
  unsupported_content_type: 415,
  client_gone: 499, // nobody reads it; access logs know the number
  internal_error: 500,
  no_model: 501,
  time_limit: 504,
};

const MISTAKE = 400;
const FAILURE = 500;

export const FAULT = "the service failed, not your request; its log names the kind of fault";

const HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store", // answers hold transcripts
  "x-content-type-options": "nosniff",
};

const NOT_WAITING =
  "expected no approvals: no call of this run waits for one, since it was answered before or the run has ended";

/**
 * Gives what the core refuses as an error of the body that it came in.
 *
 * `place` says where in the body a client has sent a path of the observation, or its definition at `/agent`; by default
 * they are sent as the core takes them.
 */
export function asSent(error: PurestepError, place = (path: string): string => path): PurestepError {
  if (error.code === "wrong_phase") return new PurestepError(error.code, NOT_WAITING, place("/approvals"));
  if (error.path.startsWith("/agent")) return placed(error, place(error.path));
  if (!error.path.startsWith(OBSERVED)) return error;
  return placed(error, place(error.path.slice(OBSERVED.length)));
}

/** Gives what the core says of a member's value as an error of the body that the member stands in. */
export function ofMember(member: string, error: PurestepError): PurestepError {
  return placed(error, member + error.path);
}

function placed(error: PurestepError, path: string): PurestepError {
  const said = error.message.startsWith(`${error.path}: `) ? error.message.slice(error.path.length) : undefined;
  return new PurestepError(error.code, said === undefined ? error.message : path + said, path);
}

const OBSERVED = "/observation";

/** Gives an answer of JSON text, sent as it is. */
export function jsonAnswer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { ...HEADERS, ...headers } });
}

/** Gives the status that an error's code stands for. */
export function statusOfError(code: string): number {
  return STATUS_OF_ERROR[code] ?? MISTAKE;
}

/** Gives the status of a run that failed with this code. */
export function statusOfFailure(code: string): number {
  return STATUS_OF_FAILURE[code] ?? FAILURE;
}

/** Gives an error's member of an answer: `"error":{...}`. */
export function errorMember(error: { code: string; message: string; path?: string }): string {
  const { code, message, path = "" } = error;
  return `"error":${JSON.stringify({ code, message, path })}`;
}

/** Gives the answer for an exception; the message of a foreign one is not shown, since it may hold a secret. */
export function errorAnswer(thrown: unknown, headers: Record<string, string> = {}): Response {
  const error = thrown instanceof PurestepError ? thrown : new PurestepError("internal_error", FAULT);
  return jsonAnswer(statusOfError(error.code), `{${errorMember(error)}}`, headers);
}
