/** The parser of Markdown, which comes after the core: no answer is there before, and until then text stays as written. */
import { effect, signal } from "@preact/signals";
import type { Lexer } from "marked";
import { coreStatus } from "../core/load_core.js";

export const markdownLexer = signal<typeof Lexer | undefined>();

/** What else waits for the core comes first. */
const AFTER_CORE_MS = 300;

export function loadMarkdown(): void {
  const end = effect(() => {
    if (coreStatus.value.kind === "loading") return;
    setTimeout(() => end());
    setTimeout(fetchLexer, AFTER_CORE_MS);
  });
}

function fetchLexer(): void {
  import("marked").then(
    (marked) => (markdownLexer.value = marked.Lexer),
    () => undefined, // answers stay as they are written
  );
}
