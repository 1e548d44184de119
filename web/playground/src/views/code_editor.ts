/**
 * An editor of code, in a shadow root: there its styles are adopted style sheets, which the page's policy allows, where
 * a <style> element would not be.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { colours, look } from "./editor_look.js";
import { problemLines } from "./editor_problems.js";

/**
 * Tab indents until Escape was pressed, and leaves the editor then, however long that takes.
 *
 * A first Escape stays in the editor: a dialog around it would close, and nobody without a mouse could go on in it.
 */
const escaped = EditorView.domEventHandlers({
  keydown({ key }, view) {
    const isEscaped = leaving.has(view);
    if (key !== "Tab" && key !== "Shift") leave(view, key === "Escape");
    return key === "Escape" && !isEscaped;
  },
  blur: (_event, view) => leave(view, false),
});
const leaving = new WeakSet<EditorView>();

function leave(view: EditorView, isLeaving: boolean): void {
  if (isLeaving) leaving.add(view);
  else leaving.delete(view);
  view.setTabFocusMode(isLeaving);
}

/** Puts an editor into a place; `onText` is called with each change of its text. */
export function codeEditor(
  place: HTMLElement,
  doc: string,
  label: string,
  onText: (text: string) => void,
  ...language: readonly Extension[]
): EditorView {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const edited = EditorView.updateListener.of((update) => {
    if (update.docChanged) onText(update.state.doc.toString());
  });
  const state = EditorState.create({
    doc,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      indentOnInput(),
      bracketMatching(),
      ...language,
      syntaxHighlighting(colours),
      look,
      problemLines,
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `${label}. Escape, then Tab leaves the editor.` }),
      escaped,
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      edited,
    ],
  });
  const editor = new EditorView({ state, root });
  root.append(editor.dom);
  return editor;
}
