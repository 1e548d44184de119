/** The editor comes after the page stands: it is the largest part of it, and nobody edits in the first moment. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { notify, wordsOf } from "../data/notices.js";

type EditorModule = typeof import("./json_editor.js");

const editor = signal<EditorModule | undefined>();

export function LazyEditor() {
  useEffect(() => {
    import("./json_editor.js").then(
      (loaded) => (editor.value = loaded),
      (error: unknown) => notify(`The editor could not be loaded. ${wordsOf(error)}`, "failed"),
    );
  }, []);
  const Editor = editor.value?.JsonEditor;
  return Editor ? <Editor /> : <div class="editor" />;
}

/** Puts the cursor where the problem is. */
export function goToProblem(host: Element | null): void {
  editor.peek()?.goToProblem(host);
}
