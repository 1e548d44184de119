/** Bars above the question: for an earlier step that is viewed, and for an unfinished run. */
import { computed } from "@preact/signals";
import { definitionVerdict } from "../data/definition.js";
import { decisionWords } from "../data/event_words.js";
import { derivedAt, derivedSteps, knownOf } from "../data/derived_steps.js";
import { goOn, isEdited, isForeign } from "../data/forking.js";
import { notify, wordsOf } from "../data/notices.js";
import { editedDefinition } from "../data/preferences.js";
import { branch, forkHere, continueRun, closeSession, running, session, shownSteps, viewed } from "../data/run.js";
import type { DerivedStep } from "../data/steps.js";
import { forkHere as makeFork } from "./fork_here.js";
import { Icon } from "./icons.js";
import { showView } from "./layout.js";
import { UntrustedText } from "./untrusted_text.js";

/** The state after the step shown; undefined until the core has derived it. */
const stands = computed<DerivedStep | undefined>(() => {
  void derivedSteps.value;
  const steps = shownSteps.value;
  const last = steps.at(-1);
  if (!last) return undefined;
  const known = knownOf(last);
  if (!known) void derivedAt(steps, steps.length - 1).catch((error: unknown) => notify(wordsOf(error), "failed"));
  return known;
});

const ended = (found: DerivedStep): boolean => found.decision.type === "done" || found.decision.type === "failed";

/** Whether the newest step asks for something that nobody is doing. */
export const runIsUnfinished = computed(() => {
  const found = stands.value;
  return viewed.value === undefined && !running.value && found !== undefined && !ended(found);
});

/** Whether the earlier step on show waits for something other than a question. */
export const viewedStepIsUnfinished = computed(
  () => viewed.value !== undefined && stands.value !== undefined && !ended(stands.value),
);

export function EarlierStepBar() {
  const at = viewed.value;
  const found = stands.value;
  if (at === undefined) return null;
  return (
    <div class="bar" role="group" aria-label="An earlier step">
      <p>
        <b>Step {at + 1}</b> of {branch.value?.steps.length}. {found && <UntrustedText text={nextWords(found)} />}
      </p>
      <button
        type="button"
        class="primary"
        disabled={!found || running.value}
        onClick={() => reported(forkAndGo(found!))}
      >
        <Icon name="branch" /> Continue from here
      </button>
      <button
        type="button"
        title="A new run with keys of its own"
        disabled={running.value}
        onClick={() => reported(forkAsEdited())}
      >
        Fork
      </button>
      <button type="button" onClick={() => (viewed.value = undefined)}>
        Back to the end
      </button>
    </div>
  );
}

async function forkAndGo(found: DerivedStep): Promise<void> {
  showView("chat");
  if (session.value?.opened === undefined) await forkHere();
  else if (!(await makeFork(null))) return;
  if (ended(found)) document.querySelector<HTMLElement>("#question")?.focus();
  else await continueRun();
}

/** Forks at the step on show, under the definition in the editor where it was edited. */
async function forkAsEdited(): Promise<void> {
  const holds = isEdited.value && definitionVerdict.value.kind === "holds";
  await makeFork(holds ? editedDefinition.value : null);
}

const reported = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => notify(wordsOf(error), "failed"));

export function UnfinishedRunBar() {
  if (!runIsUnfinished.value) return null;
  const now = session.value!;
  return (
    <div class="bar" role="group" aria-label="The run is not finished">
      <p>
        <UntrustedText text={nextWords(stands.value!)} />
        {isForeign(now) && (
          <span class="hint">
            {" "}
            The steps before came from a file, so its calls and approvals are not yours. Continue only if you would have
            made them.
          </span>
        )}
      </p>
      <button type="button" class="primary" onClick={() => reported(goOn(continueRun))}>
        {now.opened === undefined ? "Continue" : "Fork and continue"}
      </button>
      <button type="button" onClick={closeSession}>
        New run
      </button>
    </div>
  );
}

function nextWords({ decision }: DerivedStep): string {
  const { label, text } = decisionWords(decision);
  return `Next: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}
