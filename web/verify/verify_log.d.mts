/** What the check of a log's hash chain has found. */
export interface ChainVerified {
  ok: boolean;
  /** Lines checked. */
  lines: number;
  /** The head after them, 64 hex digits; empty before the first. */
  head: string;
  code?: "invalid_log" | "log_mismatch" | "head_mismatch" | "unsupported_version";
  message?: string;
  /** The line that is wrong, counted from 1. */
  line?: number;
}

/** Checks the hash chain of a log without the core; head: its last hash, from a copy kept elsewhere. */
export function verifyLog(log: string | Uint8Array, head?: string): Promise<ChainVerified>;
