/** Characters as every host counts them: code points, of which JavaScript has some as two units. */

/** Gives the first characters of a text, at most so many, and never half of one. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join("");
}

/** Gives the last characters of a text, at most so many, and never half of one. */
export function lastCharacters(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(-most).join("");
}

/** Whether a text has more characters than that; no text has more of them than units. */
export function hasMoreCharacters(text: string, most: number): boolean {
  return text.length > most && [...text].length > most;
}
