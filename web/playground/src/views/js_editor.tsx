/** The editor of a tool's code. */
import { javascript } from "@codemirror/lang-javascript";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { codeEditor } from "./code_editor.js";
import { showProblem } from "./editor_problems.js";

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
    view.current = codeEditor(
      place.current!,
      text,
      `${label}, JavaScript`,
      (changed) => tell.current(changed),
      javascript(),
      EditorView.lineWrapping,
    );
    return () => view.current?.destroy();
  }, []);
  useEffect(() => mark(view.current, problem), [problem?.words, problem?.line, text]);
  return <div class="editor code-editor" ref={place} />;
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
