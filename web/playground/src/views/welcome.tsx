/** The first screen: whom this is for, what it prevents, shown by a recorded run, and what can be done next. */
import { signal } from "@preact/signals";
import { presetId, replaceDefinition } from "../data/preferences.js";
import { recordedLog } from "../data/recorded_run.js";
import { notify, wordsOf } from "../data/notices.js";
import type { Preset } from "../presets.js";
import { definitionText, STORIES } from "../presets.js";
import { showCode } from "./code_dialog.js";
import { question } from "./composer.js";
import { openShown } from "./log_pane.js";
import { openPicker } from "./model_picker.js";
import { playPreset } from "./play_preset.js";
import { RecordedRun, see } from "./recorded_run.js";

const story = signal(STORIES[0]!);

/** Has the question of the story at hand, and the models to choose from. */
function askOwnModel(preset: Preset): void {
  presetId.value = preset.id;
  replaceDefinition(definitionText(preset));
  question.value = preset.question;
  openPicker();
}

/** Who runs a story has seen it: it stands still from then on. */
function run(preset: Preset): void {
  see(preset.id);
  playPreset(preset);
}

export function Welcome() {
  const preset = story.value;
  return (
    <div class="welcome">
      <div class="pitch">
        <h2>Stop an agent before it {preset.story?.prevents}.</h2>
        <p class="lead">
          For everyone who builds agents, in Python or JavaScript. The model only asks; purestep checks each call and
          decides, before anything happens.
        </p>
        <div class="buttons">
          {preset.story?.isOnlyRecorded ? (
            <button type="button" class="primary" onClick={() => void opened(preset)}>
              Open this log
            </button>
          ) : (
            <button type="button" class="primary" onClick={() => run(preset)}>
              Run it here
            </button>
          )}
          <button type="button" onClick={() => askOwnModel(preset)}>
            Ask a model of your own
          </button>
          <button type="button" class="quiet" onClick={() => showCode(recordedLog(preset))}>
            Look at the code
          </button>
        </div>
        <fieldset class="stories">
          <legend>See what else it stops. An agent that…</legend>
          {STORIES.map((option) => (
            <button
              type="button"
              class="chip"
              key={option.id}
              aria-pressed={option.id === preset.id}
              onClick={() => (story.value = option)}
            >
              {option.story?.prevents}
            </button>
          ))}
        </fieldset>
      </div>
      <RecordedRun preset={preset} />
    </div>
  );
}

const opened = (preset: Preset): Promise<void> =>
  openShown(`${preset.id}.jsonl`, recordedLog(preset)).catch((error: unknown) => notify(wordsOf(error), "failed"));
