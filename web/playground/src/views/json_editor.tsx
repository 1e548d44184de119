/** The editor of the definition. */
import { json } from "@codemirror/lang-json";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorView, keymap } from "@codemirror/view";
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Verdict } from "../data/definition.js";
import { definitionVerdict } from "../data/definition.js";
import { editedDefinition } from "../data/preferences.js";
import { codeEditor } from "./code_editor.js";
import { showProblem } from "./editor_problems.js";

export function JsonEditor() {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  useEffect(() => {
    view.current = newEditor(place.current!);
    return () => view.current?.destroy();
  }, []);
  useSignalEffect(() => takeText(view.current, editedDefinition.value));
  useSignalEffect(() => mark(view.current, definitionVerdict.value));
  return <div class="editor" ref={place} />;
}

function newEditor(place: HTMLElement): EditorView {
  const take = (text: string): void => void (editedDefinition.value = text);
  const language = [json(), keymap.of(lintKeymap)];
  const editor = codeEditor(place, editedDefinition.value, "Agent definition, JSON", take, ...language);
  mark(editor, definitionVerdict.peek());
  return editor;
}

/** Takes a text that came from elsewhere: a preset, or what the page remembered. */
function takeText(view: EditorView | undefined, text: string): void {
  if (!view || view.state.doc.toString() === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

function mark(view: EditorView | undefined, verdict: Verdict): void {
  if (!view || verdict.kind === "checking") return;
  const problem = verdict.kind === "refused" ? verdict.problem : undefined;
  const end = view.state.doc.length;
  const found = problem && { ...problem, from: Math.min(problem.from, end), to: Math.min(problem.to, end) };
  const diagnostics = found
    ? [{ from: found.from, to: found.to, severity: "error" as const, message: found.message }]
    : [];
  view.dispatch(setDiagnostics(view.state, diagnostics), { effects: showProblem.of(found ?? null) });
}

/** Puts the cursor where the problem is. */
export function goToProblem(host: Element | null): void {
  const verdict = definitionVerdict.peek();
  const content = host?.querySelector(".editor")?.shadowRoot?.querySelector<HTMLElement>(".cm-editor");
  const view = content && EditorView.findFromDOM(content);
  if (!view || verdict.kind !== "refused") return;
  view.dispatch({ selection: { anchor: verdict.problem.from }, scrollIntoView: true });
  view.focus();
}
