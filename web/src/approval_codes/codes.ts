/**
 * Approval codes: what a run waits for as a code that fits into a picture, and a person's signed answer to it.
 *
 * A host makes a request of what waits: the run, the head of its log, and the calls. A person's device signs an answer that
 * names the digest of exactly this request. The host keeps nothing: it makes the request again from what waits then, so an
 * answer about an earlier state, another run or another call fits nothing. `purestep_hosts.approval_codes` does the same.
 */
import type { AskedCall } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import type { Approval } from "../generated/wire.js";
import {
  digestOf,
  fingerprint,
  isKey,
  isSigned,
  MAX_REQUEST_BYTES,
  packedAnswer,
  packedRequest,
  publicText,
  type Signed,
  signatureOf,
  unpackedAnswer,
  unpackedRequest,
  utf8,
} from "./packing.js";
import {
  ANSWER_FORMAT,
  type AnswerText,
  type Hints,
  HINT_NAMES,
  readAnswerText,
  readRequestText,
  REQUEST_FORMAT,
  type RequestedCall,
  type RequestText,
  type Said,
  writtenAnswer,
  writtenRequest,
} from "./texts.js";

/** What waits for a person: `run_id` and `head` of the run's state, and the calls of its decision. */
export interface WaitingCalls {
  readonly run_id: string;
  readonly head: string;
  readonly calls: readonly AskedCall[];
  /** The run's definition, whose descriptions and hints of tools are shown. */
  readonly definition?: { readonly tools?: readonly unknown[] | null } | undefined;
  /** The names of those who may answer, where not everybody whose key the host knows; an empty list is refused. */
  readonly only?: readonly string[] | undefined;
}

export interface ApprovalCodesOptions {
  /** The host's own key: `crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])`. */
  readonly key: CryptoKeyPair;
  /** The names of those who may answer, each with a public key as text. */
  readonly approvers: Readonly<Record<string, string>>;
  /** What the host is called. */
  readonly name?: string;
}

/** A request, packed: `code` is what a picture shows, `text` what is signed. */
export interface ApprovalRequest {
  readonly code: string;
  readonly text: string;
  readonly expiresAt: number;
}

const LIFE_MS = 60 * 60 * 1000; // it asks for something that waits now
const MAX_LIFE_MS = 366 * 24 * LIFE_MS; // so no time in another unit passes for a life

/** Makes requests, and checks answers to them, with a host's key and the public keys of those who may answer. */
export class ApprovalCodes {
  readonly #key: CryptoKeyPair;
  readonly #approvers: ReadonlyMap<string, string>;
  readonly #name: string;

  /** Throws TypeError for a text that is no public key, and for one that two names have. */
  constructor({ key, approvers, name = "" }: ApprovalCodesOptions) {
    this.#key = key;
    this.#name = name;
    this.#approvers = new Map(Object.entries(approvers).map(([approver, text]) => [text, approver]));
    if (this.#approvers.size < Object.keys(approvers).length) throw new TypeError("expected a key of its own for each");
    if (![...this.#approvers.keys()].every(isKey))
      throw new TypeError("expected public keys as 43 characters of base64url, as the page approve.html shows them");
  }

  /**
   * Gives the request for what waits, which holds for `lifeMs`, up to a year.
   *
   * Rejects with `nothing_waits`, `form_call` or `request_too_large`; TypeError for a key that is no Ed25519 key.
   */
  async request(waiting: WaitingCalls, { now = Date.now(), lifeMs = LIFE_MS } = {}): Promise<ApprovalRequest> {
    if (!(lifeMs > 0 && lifeMs <= MAX_LIFE_MS))
      throw new TypeError(`expected a life of 1 to ${MAX_LIFE_MS} milliseconds; got ${lifeMs}`);
    const expiresAt = now + lifeMs;
    const text = await this.#text(waiting, expiresAt);
    const size = utf8(text).length;
    if (size > MAX_REQUEST_BYTES)
      throw new PurestepError(
        "request_too_large",
        `expected at most ${MAX_REQUEST_BYTES} bytes of calls, got ${size}; answer where the run is`,
      );
    const signature = await signatureOf(text, REQUEST_FORMAT, this.#key.privateKey);
    return { code: await packedRequest({ text, signature }), text, expiresAt };
  }

  /**
   * Gives the approvals of an answer, a code or a link with it, to what waits now; each is `by` the approver's name.
   *
   * Rejects with `bad_answer`, `answer_forged`, `answer_not_allowed`, `answer_stale`, `answer_expired`, and as `request` does.
   */
  async check(answer: string, waiting: WaitingCalls, { now = Date.now() } = {}): Promise<Approval[]> {
    const read = await signedAnswer(answer);
    const name = this.#approvers.get(read.key);
    if (name === undefined || (waiting.only && !waiting.only.includes(name)))
      throw new PurestepError(
        "answer_not_allowed",
        `expected the key of somebody who may answer; ${await fingerprint(read.key)} may not`,
      );
    if (read.run_id !== waiting.run_id || read.request !== (await digestOf(await this.#text(waiting, read.expires_at))))
      throw new PurestepError(
        "answer_stale",
        "expected an answer to what waits now; this one is about something else: show the code again",
      );
    if (read.expires_at <= now)
      throw new PurestepError("answer_expired", "the request holds no longer; show a new code");
    if (read.answers.length !== waiting.calls.length)
      throw badAnswer(`expected ${waiting.calls.length} answers; got ${read.answers.length}`);
    return waiting.calls.map((call, index) => approvalOf(call, read.answers[index]!, name));
  }

  async #text(waiting: WaitingCalls, expiresAt: number): Promise<string> {
    const { run_id, head, calls, definition } = waiting;
    const only = this.#only(waiting);
    if (calls.length === 0)
      throw new PurestepError("nothing_waits", "expected calls that wait for a person; the run waits for none");
    const keys = [...this.#approvers].filter(([, name]) => only.includes(name)).map(([key]) => fingerprint(key));
    const text = writtenRequest({
      format: REQUEST_FORMAT,
      host: await publicText(this.#key),
      name: this.#name,
      run_id,
      head,
      expires_at: expiresAt,
      approvers: (await Promise.all(keys)).sort(),
      calls: calls.map((call) => requestedCall(call, definition?.tools ?? [])),
    });
    if (text === undefined)
      throw new TypeError("expected the run_id and the head of the state, and the calls it waits for");
    return text;
  }

  /** Gives who alone may answer, nobody where all may. */
  #only({ only }: WaitingCalls): readonly string[] {
    const names = [...this.#approvers.values()];
    const isKnown = only === undefined || (only.length > 0 && only.every((name) => names.includes(name)));
    if (!isKnown)
      throw new TypeError(`expected names of approvers in only, or undefined for all; got ${JSON.stringify(only)}`);
    return only ?? [];
  }
}

/** Tells whether an answer has what is signed of it, and nothing that would be lost. */
function isAnswer({ approved, reason, ...others }: Said): boolean {
  return typeof approved === "boolean" && !(approved && reason) && Object.keys(others).length === 0;
}

/** A request as a person's device reads it. */
export interface ReadRequest extends RequestText {
  readonly text: string;
}

/** Gives the request in a code or a link, signed by the host that it names; rejects with `bad_request`. */
export async function readRequest(code: string): Promise<ReadRequest> {
  const signed = await unpackedRequest(code);
  const read = signed && readRequestText(signed.text);
  if (!read)
    throw new PurestepError("bad_request", "expected the code of a request; scan or copy it again, as a whole");
  if (!(await isSigned(signed, REQUEST_FORMAT, read.host)))
    throw new PurestepError("bad_request", "the host that this code names has not signed it; answer none such");
  return { ...read, text: signed.text };
}

/**
 * Gives the code of an answer to a request that was read, signed with the person's key.
 *
 * Rejects with TypeError for answers that are not one for each call, `{ approved }` or `{ approved: false, reason }`: a
 * person cannot change arguments here.
 */
export async function answerRequest(
  request: ReadRequest,
  key: CryptoKeyPair,
  answers: readonly Said[],
  { now = Date.now() } = {},
): Promise<string> {
  const { run_id, expires_at, calls } = request;
  const who = { at: now, key: await publicText(key) };
  const digest = await digestOf(request.text);
  const text = writtenAnswer({ format: ANSWER_FORMAT, run_id, request: digest, expires_at, ...who, answers });
  if (text === undefined || answers.length !== calls.length || !answers.every(isAnswer))
    throw new TypeError(
      `expected an answer for each of ${calls.length} calls: { approved: true }, or { approved: false, reason }`,
    );
  return packedAnswer({ text, signature: await signatureOf(text, ANSWER_FORMAT, key.privateKey) });
}

/** Gives what an answer says, signed by the key that it names; whose that is is not looked at. */
export async function signedAnswer(code: string): Promise<AnswerText> {
  const signed: Signed | undefined = unpackedAnswer(code);
  const read = signed && readAnswerText(signed.text);
  if (!read) throw badAnswer("expected the code of an answer; scan or copy it again, as a whole");
  if (await isSigned(signed, ANSWER_FORMAT, read.key)) return read;
  throw new PurestepError("answer_forged", "the signature is not of the key that the answer names; ask again");
}

function badAnswer(message: string): PurestepError {
  return new PurestepError("bad_answer", message);
}

function approvalOf({ call_id, key }: AskedCall, { approved, reason }: Said, by: string): Approval {
  return { call_id, key, approved, ...(reason && { reason }), by };
}

/** Gives a call as it is shown; the definition has the tools of the run's own agent. */
function requestedCall(call: AskedCall, tools: readonly unknown[]): RequestedCall {
  if (call.form)
    throw new PurestepError("form_call", `${call.tool} asks for more than a yes or no; answer where the run is`);
  const { call_id, key, tool, path = [], params_json, reason, note = "", problems = [], origins = [] } = call;
  const spec = path.length > 0 ? undefined : tools.find((each): each is ToolLook => isNamed(each, tool));
  const hints = HINT_NAMES.map((name) => [name, spec?.annotations?.[name]] as const).filter(([, hint]) => hint != null);
  return {
    ...{ call_id, key, tool, path, description: spec?.description ?? "" },
    ...(hints.length > 0 && { annotations: Object.fromEntries(hints) as Hints }),
    ...{ params_json, reason, note, problems, origins },
  };
}

interface ToolLook {
  readonly description?: string | null;
  readonly annotations?: Hints | null;
}

function isNamed(spec: unknown, tool: string): boolean {
  return typeof spec === "object" && spec !== null && (spec as { name?: unknown }).name === tool;
}
