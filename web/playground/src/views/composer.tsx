/** Where the question is written; it stops a run as well. */
import { computed, signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { attachFiles, detach, pendingFiles } from "../data/attached_files.js";
import { definitionVerdict } from "../data/definition.js";
import { goOn } from "../data/forking.js";
import { logOpened } from "../data/logs.js";
import { notify, wordsOf } from "../data/notices.js";
import { editedDefinition } from "../data/preferences.js";
import { testing } from "../data/probe.js";
import { ask, running, session, stop } from "../data/run.js";
import { chosenSource, modelStatus, troubles } from "../models/choice.js";
import { bytes } from "./amounts.js";
import { ContextMeter } from "./context_meter.js";
import { FileList } from "./file_list.js";
import { Icon } from "./icons.js";
import { ModelPicker } from "./model_picker.js";
import { viewedStepIsUnfinished, runIsUnfinished } from "./run_bars.js";
import { ToolsButton } from "./tools_dialog.js";

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
  const { kind } = modelStatus.value;
  if (kind === "ready" || kind === "loading" || running.value || disabledReason.value !== "") return "";
  const download = chosenSource().needs?.().downloadBytes ?? 0;
  return download > 0
    ? `${session.value ? "The next" : "Your first"} question loads the model: ${bytes(download)}, downloaded once.`
    : "";
});

/** Whether a question waits for the run that is being opened. */
let isHeld = false;

export async function send(text: string): Promise<void> {
  if (isHeld || isEmpty(text)) return;
  const opened = logOpened();
  if (opened) return sendOnceOpened(text, opened);
  if (disabledReason.value !== "" || running.value) return;
  const files = pendingFiles.value;
  question.value = "";
  pendingFiles.value = [];
  const sources = files.map(({ part: { name }, bytes }) => ({ data: bytes, ...(name && { name }) }));
  const taken = await goOn(() => ask(text.trim(), editedDefinition.value, sources)).catch(reportFailure);
  if (taken) return;
  // What did not come into the run need not be written again.
  if (question.value === "") question.value = text;
  if (pendingFiles.value.length === 0) pendingFiles.value = files;
}

async function sendOnceOpened(text: string, opened: Promise<boolean>): Promise<void> {
  const isTyped = text === question.value;
  isHeld = true;
  const isOnShow = await opened;
  isHeld = false;
  // What was typed may have been changed meanwhile; without the run it stays where it is.
  if (isOnShow) await send(isTyped ? question.value : text);
}

function reportFailure(error: unknown): false {
  notify(wordsOf(error), "failed");
  return false;
}

function isEmpty(text: string): boolean {
  return text.trim() === "" && pendingFiles.value.length === 0;
}

function AttachButton() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        class="unseen"
        tabIndex={-1}
        multiple
        aria-label="Images and files to attach"
        onChange={({ currentTarget }) => {
          void attachFiles(currentTarget.files ?? []);
          currentTarget.value = ""; // the same file may be chosen again
        }}
      />
      <button
        type="button"
        class="attach quiet icon-only"
        aria-label="Attach images or files"
        title="Attach images or files"
        onClick={() => picker.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  );
}

export function Composer() {
  const hint = disabledReason.value || cost.value;
  return (
    <form
      class="composer"
      onSubmit={(event) => (event.preventDefault(), void send(question.value))}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => (event.preventDefault(), void attachFiles(event.dataTransfer?.files ?? []))}
      onPaste={({ clipboardData }) => void attachFiles(clipboardData?.files ?? [])}
    >
      <FileList parts={pendingFiles.value.map(({ part }) => part)} remove={detach} />
      <div class="field">
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
          // Separate elements: with one, the click that stops could also send. The second click of two on Send stops nothing.
          <button type="button" key="stop" class="stop" onClick={(event) => event.detail < 2 && stop()}>
            <Icon name="stop" /> Stop
          </button>
        ) : (
          <>
            <AttachButton />
            <button
              key="send"
              class="primary icon-only"
              aria-label="Send"
              title="Send (Enter)"
              disabled={isEmpty(question.value) || disabledReason.value !== ""}
            >
              <Icon name="send" />
            </button>
          </>
        )}
      </div>
      <div class="composer-foot">
        <ModelPicker />
        <ToolsButton />
        <ContextMeter />
      </div>
      <p id="question-hint" class={disabledReason.value === "" ? "hint" : "hint trouble"}>
        {hint}
      </p>
    </form>
  );
}
