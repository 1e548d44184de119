/** The one error class: what was expected, what came, what to do; `code` is stable. */
export class PurestepError extends Error {
  override readonly name = "PurestepError";

  constructor(
    readonly code: string,
    message: string,
    /** Where in the input it is wrong, as a JSON Pointer; "" for the whole. */
    readonly path: string = "",
  ) {
    super(message);
  }
}

/** Gives the text back, or throws what the core refused: it says so as `{"error": {"code", "message", "path"}}`. */
export function accepted(output: string): string {
  if (!output.startsWith('{"error":')) return output;
  const { error } = JSON.parse(output) as { error: { code: string; message: string; path?: string } };
  throw new PurestepError(error.code, error.message, error.path ?? "");
}
