/** What the check of a log's hash chain has found. */
export interface ChainVerified {
  ok: boolean;
  /** Lines checked. */
  lines: number;
  /** The head after them, 64 hex digits; empty before the first. */
  head: string;
  /** The run's id, once its first line was read. */
  run_id?: string;
  code?: "invalid_log" | "log_mismatch" | "head_mismatch" | "unsupported_version" | "input_too_large";
  message?: string;
  /** The line that is wrong, counted from 1. */
  line?: number;
  /** Bytes of a last line without its line break: the log is still being written, or was cut off. */
  torn_bytes?: number;
}

/** A log: text, bytes, or pieces of bytes one after another, as `file.stream()` or a stream of Node gives them. */
export type LogSource =
  string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * Checks the hash chain of a log without the core, a line at a time; head: its last hash, from a copy kept elsewhere.
 *
 * watch: is given what was found so far after each line, in one object that changes, and that line as an object and as
 * text.
 */
export function verifyLog(
  log: LogSource,
  head?: string,
  watch?: (found: Readonly<ChainVerified>, event: Readonly<Record<string, unknown>>, text: string) => void,
): Promise<ChainVerified>;

/** Gives a log as pieces of its bytes. */
export function piecesOf(log: LogSource): AsyncGenerator<Uint8Array>;
