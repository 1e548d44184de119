/** Loads the editor after the page is shown, because it is the largest part of it. */
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
