/** JSON text in lines, every token with its own characters. */
import { applyEdits, format } from "jsonc-parser";

export function laidOut(text: string): string {
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" }));
}
