// Made from the core by tools/types/reply_bounds.py; do not edit.
/** Bytes of one line, or of a body that does not stream; past it a host stops reading. */
export const MAX_REPLY_LINE_BYTES = 4194304;

/** Characters of an error reply's body that a host hands over. */
export const MAX_ERROR_BODY_CHARS = 65536;

/** The headers of an error reply that a host hands over. */
export const FAULT_HEADERS = ["retry-after", "retry-after-ms", "date", "x-should-retry"] as const;
