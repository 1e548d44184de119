/** Changes one member of a definition's text and leaves the rest of it as it was written. */
import { applyEdits, modify } from "jsonc-parser";

const AS_WRITTEN = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

export function withInstructions(definition: string, instructions: string): string {
  return applyEdits(definition, modify(definition, ["instructions"], instructions || undefined, AS_WRITTEN));
}
