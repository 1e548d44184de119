/** How the editor looks; its colours are the page's own, which custom properties carry into the shadow root. */
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--json-name)" },
  { tag: tags.comment, color: "var(--ink-3)" },
  { tag: [tags.string, tags.regexp], color: "var(--json-string)" },
  { tag: tags.number, color: "var(--json-number)" },
  { tag: [tags.bool, tags.null, tags.keyword], color: "var(--json-word)" },
  { tag: tags.invalid, color: "var(--failed)" },
]);

export const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--size-code)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 4px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none", paddingLeft: "4px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
  // Not CodeMirror's own picture of a wave, which is a data: address.
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--failed) 1.5px",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-2)",
    borderRadius: "6px",
  },
  ".cm-diagnostic-error": { borderLeft: "none" },
  ".cm-line.problem-row": { paddingBottom: "5px", backgroundColor: "var(--failed-wash)" },
  ".problem-line": {
    margin: "0",
    // Long lines scroll; what is wrong with one stays in sight.
    position: "sticky",
    left: "0",
    boxSizing: "border-box",
    // The host is the container; the rest is the gutter with its numbers.
    width: "calc(100cqw - 2rem)",
    padding: "4px 12px 6px 12px",
    color: "var(--failed)",
    backgroundColor: "var(--failed-wash)",
    fontFamily: "var(--sans)",
    fontWeight: "500",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
});
