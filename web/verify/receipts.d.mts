import type { LogSource } from "./verify_log.mjs";

/** A call that may have changed something; `line` is that of the ending that tells it, none while the run goes on. */
export interface ToldAct {
  call_id: string;
  tool: string;
  status: string;
  line?: number;
  /** The names of the agents down to the one that called it. */
  path?: string[];
}

/** What a receipt says of a run, its members as they were signed. All text is that of who signed it, or of a model. */
export interface Statement {
  format: string;
  run_id: string;
  /** How many lines the log had. */
  lines: number;
  /** The head of the hash chain after them. */
  head: string;
  /** What derived the run: its version, and the digests of its sources. */
  software: { version: string; core: string; policies: string; formats: string };
  /** The digests of the definitions that the run had, in order; null for the bare form. */
  definitions: (string | null)[];
  policies: { use: string; version: number }[];
  phase: string;
  acts: ToldAct[];
  /** How many more acts there were than are listed. */
  acts_left_out: number;
  /** How many texts were hidden, by their kind. */
  hidden: Record<string, number>;
  /** How often a host has hidden a secret of its own. */
  hidden_for_good: number;
}

export interface Receipt {
  /** What is said of each run. */
  statements: Statement[];
  /** How many runs were signed together: more than these where some were taken out. */
  runs: number;
  /** Who signed, by its own words. */
  issuer: string;
  /** Seconds since 1970, by the issuer's clock. */
  issuedAt: number;
  /** The key, as a URI with its thumbprint (RFC 9679). */
  signer: string;
}

export type ReceiptCode =
  | "bad_key"
  | "bad_log"
  | "bad_receipt"
  | "input_too_large"
  | "newer_core"
  | "receipt_from_future"
  | "receipt_mismatch"
  | "signature_invalid"
  | "signer_mismatch"
  | "unknown_policy"
  | "unsupported_receipt"
  | "unsupported_version";

/** A receipt does not hold. */
export class ReceiptError extends Error {
  constructor(code: ReceiptCode, message: string, line?: number);
  readonly code: ReceiptCode;
  /** The line of the log that does not follow, from 1. */
  readonly line?: number;
}

/** Gives what a receipt says, its signature not looked at: anybody may have written it. Throws ReceiptError. */
export function readReceipt(bytes: Uint8Array): Receipt;

/**
 * Gives what a receipt says, once its signature is that of a key. Throws ReceiptError.
 *
 * publicKey: a file's text or bytes, PEM or OpenSSH. now: seconds since 1970, that of the clock here if left out.
 */
export function verifyReceipt(
  bytes: Uint8Array,
  publicKey: string | Uint8Array,
  options?: { now?: number },
): Promise<Receipt>;

/** Gives the run's id in the first line of a log, by which its statement is found; empty for what is no log. */
export function runIdOf(log: LogSource): Promise<string>;

/** A core that derives decisions again, as `loadCore` gives it. */
export interface DerivingCore {
  core_info(): string | Promise<string>;
  replay_log_lines(log: string): string | Promise<string>;
}

/** A log that is what a statement says. */
export interface CheckedRun {
  run_id: string;
  /** How many lines the statement is of. */
  lines: number;
  /** How many came since. */
  linesAfter: number;
  /**
   * Whether every decision was derived again. Without a core it was not: the log has the hash chain, the run's id, the
   * ended exchanges' acts, the policies and the hidden texts that the statement names, and its decisions may be false.
   */
  derived: boolean;
}

/**
 * Holds a log against what a receipt says of it; a log that has grown since still meets it. Throws ReceiptError.
 *
 * A blank line and a torn last one are differences wherever they are; the last line may lack its line break.
 *
 * Without a core, a line at a time is in memory; with one, the whole log, of at most 128 MiB.
 */
export function verifyRun(
  log: LogSource,
  statement: Statement,
  options?: { core?: DerivingCore },
): Promise<CheckedRun>;
