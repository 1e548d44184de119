/** Numbers whose digits or form a JavaScript number would change, carried as the text they are, where the engine can. */

const RAW = JSON as { rawJSON?: (text: string) => unknown; isRawJSON?: (value: unknown) => boolean };

/** Gives the number that JSON text stands for, so that it is written again as the same text. */
export function exactNumber(text: string): unknown {
  const value = Number(text);
  return String(value) === text ? value : (RAW.rawJSON?.(text) ?? value);
}

/** Tells whether a value is a number that is carried as its text. */
export function isCarriedAsText(value: unknown): boolean {
  return RAW.isRawJSON?.(value) ?? false;
}

/** Gives the value of JSON text, with all its numbers exact. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, source?: { source?: string }) =>
    typeof value === "number" && source?.source !== undefined ? exactNumber(source.source) : value,
  );
}
