/** The run beside another: under the edited definition, beside another log, and forks of it. */
import { useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { DiffFound, RedriveFound } from "../data/comparing.js";
import { comparison, compareWith, redriveEdited } from "../data/comparing.js";
import { definitionVerdict } from "../data/definition.js";
import { editItsDefinition, isEdited } from "../data/forking.js";
import { announce, notify, wordsOf } from "../data/notices.js";
import { editedDefinition } from "../data/preferences.js";
import { branch, running, shownSteps } from "../data/run.js";
import { counted } from "./amounts.js";
import { DiffCard, RedriveCard } from "./compared_card.js";
import { forkHere } from "./fork_here.js";
import { Icon } from "./icons.js";
import { showView } from "./layout.js";
import { showSideBySide } from "./side_by_side.js";

const reported = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => notify(wordsOf(error), "failed"));

export function ComparePane() {
  const steps = branch.value?.steps ?? [];
  const found =
    comparison.value?.steps === steps || comparison.value?.steps === shownSteps.value ? comparison.value : undefined;
  if (steps.length === 0) return <Empty />;
  return (
    <div class="scroll compare-pane">
      <Beside />
      <Redrive found={found?.kind === "redrive" ? found : undefined} />
      <Diff found={found?.kind === "diff" ? found : undefined} />
      <Fork />
    </div>
  );
}

function Empty() {
  return (
    <div class="scroll compare-pane">
      <Beside />
      <div class="empty">
        <p>No run to compare yet.</p>
        <p class="hint">Ask something, or open a log: then it can be driven again, compared and forked.</p>
      </div>
    </div>
  );
}

function Beside() {
  return (
    <Part
      title="Side by side"
      words="One question is put to two models, or to one under two definitions, and you see where they first differ."
    >
      <div class="buttons">
        <button type="button" onClick={showSideBySide}>
          Ask two side by side
        </button>
      </div>
    </Part>
  );
}

interface PartProps {
  title: string;
  words: string;
  children: ComponentChildren;
}

function Part({ title, words, children }: PartProps) {
  return (
    <section class="compare-part" aria-label={title}>
      <h3>{title}</h3>
      <p class="hint">{words}</p>
      {children}
    </section>
  );
}

function Redrive({ found }: { found: RedriveFound | undefined }) {
  const refused = definitionVerdict.value.kind === "refused";
  return (
    <Part
      title="Redrive"
      words="What was recorded is given to the definition in the editor, up to the first decision that it takes otherwise. No model is asked and no tool runs."
    >
      <div class="buttons">
        <button type="button" disabled={running.value || refused} onClick={() => reported(redrive())}>
          Redrive
        </button>
        <button type="button" class="quiet" onClick={editIts}>
          Edit this run's definition
        </button>
      </div>
      {refused && <p class="hint">The definition in the editor has an error; see Setup.</p>}
      {found && <RedriveCard made={found} />}
    </Part>
  );
}

async function redrive(): Promise<void> {
  const { found } = await redriveEdited();
  announce(found.same ? `All ${found.steps} decisions are the same` : `The runs differ at line ${found.line}`);
}

function editIts(): void {
  editItsDefinition();
  showView("setup", "#agent .cm-content");
}

function Diff({ found }: { found: DiffFound | undefined }) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <Part
      title="Another log"
      words="Two runs are compared line by line up to where they part. Ids, times, hashes and token counts are no difference."
    >
      <div class="buttons">
        <button type="button" disabled={running.value} onClick={() => file.current?.click()}>
          <Icon name="open" /> Choose a log
        </button>
      </div>
      <input
        ref={file}
        type="file"
        hidden
        accept=".jsonl,.json,.txt"
        aria-label="Compare with a log file"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = ""; // the same file may be chosen again
          if (chosen) reported(compare(chosen));
        }}
      />
      {found && <DiffCard made={found} />}
    </Part>
  );
}

async function compare(file: File): Promise<void> {
  const { found } = await compareWith(file.name, await file.text());
  announce(found.same ? "Both runs are the same" : `The runs part after ${counted(found.events, "line")}`);
}

function Fork() {
  const count = branch.value!.steps.length;
  const at = shownSteps.value.length;
  return (
    <Part
      title="Fork"
      words={`A new run that begins with ${at === count ? `all ${counted(count, "step")}` : `the first ${at} of ${counted(count, "step")}`} of this one. It has an id and keys of its own, and this run stays as it is. Go to an earlier step in the timeline to fork there.`}
    >
      <div class="buttons">
        <button type="button" disabled={running.value} onClick={() => reported(forkHere(null))}>
          <Icon name="branch" /> Fork
        </button>
        {isEdited.value && definitionVerdict.value.kind === "holds" && (
          <button type="button" disabled={running.value} onClick={() => reported(forkHere(editedDefinition.value))}>
            <Icon name="branch" /> Fork with the edited definition
          </button>
        )}
      </div>
    </Part>
  );
}
