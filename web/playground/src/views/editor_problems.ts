/** Shows what the core says of the text right under the line it speaks of. */
import { StateEffect, StateField } from "@codemirror/state";
import type { EditorState } from "@codemirror/state";
import type { DecorationSet } from "@codemirror/view";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

/** What is wrong, and where in the text. */
interface PlacedProblem {
  readonly message: string;
  readonly from: number;
}

/** Null takes the problem away: an effect whose value is undefined is dropped before any field sees it. */
export const showProblem = StateEffect.define<PlacedProblem | null>();

class ProblemLine extends WidgetType {
  constructor(readonly problem: PlacedProblem) {
    super();
  }

  override eq(other: ProblemLine): boolean {
    return other.problem.message === this.problem.message && other.problem.from === this.problem.from;
  }

  override toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = "problem-line";
    line.textContent = this.problem.message;
    return line;
  }
}

function decorated(state: EditorState, problem: PlacedProblem): DecorationSet {
  const line = state.doc.lineAt(problem.from);
  return Decoration.set([
    Decoration.line({ class: "problem-row" }).range(line.from),
    Decoration.widget({ widget: new ProblemLine(problem), block: true, side: 1 }).range(line.to),
  ]);
}

export const problemLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, change) {
    const effect = change.effects.findLast((effect) => effect.is(showProblem));
    if (!effect) return shown.map(change.changes);
    const problem = effect.value as PlacedProblem | null;
    return problem ? decorated(change.state, problem) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});
