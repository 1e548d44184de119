/** Where the question is written; it stops a run as well. */
import { computed, signal } from "@preact/signals";
import { definitionVerdict } from "../data/definition.js";
import { editedDefinition } from "../data/preferences.js";
import { testing } from "../data/probe.js";
import { ask, running, session, stop } from "../data/run.js";
import { chosenSource, modelStatus, troubles } from "../models/choice.js";
import { Icon } from "./icons.js";
import { viewedStepIsUnfinished, runIsUnfinished } from "./run_bars.js";

export const question = signal("");

/** Says why nothing can be asked now; empty when it can. */
const disabledReason = computed(() => {
  if (testing.value) return "The model is being tested. Stop the test, or wait for its end.";
  if (runIsUnfinished.value) return "This run is not finished. Continue it first, or start a new one.";
  if (viewedStepIsUnfinished.value)
    return "This step does not wait for a question. Continue from here, or go back to the end.";
  if (!session.value && definitionVerdict.value.kind === "refused")
    return "The agent's definition has an error; see Setup.";
  return troubles.value[chosenSource().id] ?? "";
});

const cost = computed(() => {
  if (modelStatus.value.kind === "ready" || disabledReason.value !== "") return "";
  return chosenSource().id === "wllama" ? "Your first question loads the model: 98 MB, downloaded once." : "";
});

export async function send(text: string): Promise<void> {
  if (text.trim() === "" || disabledReason.value !== "" || running.value) return;
  question.value = "";
  const taken = await ask(text.trim(), editedDefinition.value);
  // What did not come into the run need not be written again.
  if (!taken && question.value === "") question.value = text;
}

export function Composer() {
  const hint = disabledReason.value || cost.value;
  return (
    <form class="composer" onSubmit={(event) => (event.preventDefault(), void send(question.value))}>
      <label class="unseen" for="question">
        Your question
      </label>
      <textarea
        id="question"
        rows={1}
        placeholder="Ask something"
        value={question.value}
        aria-describedby="question-hint"
        onInput={(event) => (question.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send(question.value);
        }}
      />
      {running.value ? (
        // Separate elements: with one, the click that stops could also send.
        <button type="button" key="stop" class="stop" onClick={stop}>
          <Icon name="stop" /> Stop
        </button>
      ) : (
        <button
          key="send"
          class="primary icon-only"
          aria-label="Send"
          title="Send (Enter)"
          disabled={question.value.trim() === "" || disabledReason.value !== ""}
        >
          <Icon name="send" />
        </button>
      )}
      <p id="question-hint" class="hint">
        {hint}
      </p>
    </form>
  );
}
