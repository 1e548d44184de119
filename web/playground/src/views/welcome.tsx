/** The empty conversation: what this is, and two ways to see it work. */
import { notify } from "../data/notices.js";
import { editedDefinition, presetId, replaceDefinition } from "../data/preferences.js";
import { ask } from "../data/run.js";
import { choose, chosen, chosenSource, modelStatus, troubles } from "../models/choice.js";
import { setOutputs } from "../models/scripted.js";
import { definitionText, PRESETS } from "../presets.js";
import { takePreset } from "./definition_card.js";
import { send } from "./composer.js";

export function Welcome() {
  const preset = PRESETS.find((preset) => preset.id === presetId.value) ?? PRESETS[0]!;
  const trouble = troubles.value[chosenSource().id] ?? "";
  const play = (): void => {
    setOutputs(preset.script);
    if (modelStatus.value.kind === "ready" && chosen.value !== "scripted")
      notify(`The script plays the model now. Under Setup you can choose ${chosenSource().title} again.`);
    choose("scripted");
    replaceDefinition(definitionText(preset));
    void ask(preset.question, editedDefinition.value);
  };
  return (
    <div class="welcome">
      <h2>See how an agent decides.</h2>
      <p class="lead">
        A model writes text, and one pure function decides what happens next. Here it runs in your browser: see every
        decision and its reason, approve calls, go back to any step and continue from there.
      </p>
      <div class="presets" role="group" aria-label="What to try">
        {PRESETS.map((option) => (
          <button
            type="button"
            key={option.id}
            class="offer"
            aria-pressed={option.id === preset.id}
            onClick={() => takePreset(option)}
          >
            <b>{option.title}</b>
            <span>{option.summary}</span>
          </button>
        ))}
      </div>
      <p class="try">“{preset.question}”</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={play}>
          Play it with a script
        </button>
        <button type="button" disabled={trouble !== ""} onClick={() => void send(preset.question)}>
          Ask {chosenSource().title}
        </button>
      </div>
      <p class="hint">{welcomeHint(trouble, preset.results !== undefined)}</p>
    </div>
  );
}

const WRITTEN = "What the tools return is written by hand here; every check and decision is real.";

function welcomeHint(trouble: string, isWritten: boolean): string {
  if (trouble !== "") return trouble;
  if (modelStatus.value.kind === "ready") return isWritten ? `The model is ready. ${WRITTEN}` : "The model is ready.";
  if (isWritten) return `${WRITTEN} With the script, so are the model's outputs.`;
  return `The script needs no download: its outputs are written by hand, everything else is real. ${chosenSource().summary}`;
}
