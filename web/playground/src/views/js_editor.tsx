/** The editor of a tool's code, in a shadow root as that of the definition is. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { colours, look } from "./editor_look.js";
import { problemLines, showProblem } from "./editor_problems.js";

export interface JsEditorProps {
  readonly text: string;
  readonly label: string;
  readonly onText: (text: string) => void;
  readonly problem: { readonly words: string; readonly line: number | undefined } | undefined;
}

export function JsEditor({ text, label, onText, problem }: JsEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const tell = useRef(onText);
  tell.current = onText;
  useEffect(() => {
    view.current = newEditor(place.current!, text, label, (changed) => tell.current(changed));
    return () => view.current?.destroy();
  }, []);
  useEffect(() => mark(view.current, problem), [problem?.words, problem?.line, text]);
  return <div class="editor code-editor" ref={place} />;
}

function newEditor(place: HTMLElement, doc: string, label: string, onText: (text: string) => void): EditorView {
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
      javascript(),
      syntaxHighlighting(colours),
      look,
      problemLines,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        tabindex: "0",
        "aria-label": `${label}, JavaScript. Escape, then Tab leaves the editor.`,
      }),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      edited,
    ],
  });
  const editor = new EditorView({ state, root });
  root.append(editor.dom);
  return editor;
}

/** Shows what is wrong under its line; what is of no line is shown beside the editor. */
function mark(view: EditorView | undefined, problem: JsEditorProps["problem"]): void {
  if (!view) return;
  const { doc } = view.state;
  const line = problem?.line;
  const from = line !== undefined && line <= doc.lines ? doc.line(line).from : undefined;
  const shown = from === undefined ? null : { message: problem!.words, from };
  view.dispatch({ effects: showProblem.of(shown) });
}
