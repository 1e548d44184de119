/** Text that UTF-8 can hold. */

/** Gives the text with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
