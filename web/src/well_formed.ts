/** Text that UTF-8 can hold. */

/** Gives the text with every lone half of a character replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
