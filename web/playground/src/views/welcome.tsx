/** The empty conversation: what this is, and two ways to see it work. */
import { preset_id } from "../data/preferences.js";
import { edited_definition } from "../data/preferences.js";
import { ask } from "../data/run.js";
import { choose, chosen_source, model_status, troubles } from "../models/choice.js";
import { set_outputs } from "../models/scripted.js";
import { definition_text, PRESETS } from "../presets.js";
import { take_preset } from "./definition_card.js";
import { send } from "./composer.js";

export function Welcome() {
  const preset = PRESETS.find((preset) => preset.id === preset_id.value) ?? PRESETS[0]!;
  const trouble = troubles.value[chosen_source().id] ?? "";
  const play = (): void => {
    set_outputs(preset.script);
    choose("scripted");
    edited_definition.value = definition_text(preset);
    void ask(preset.question, edited_definition.value);
  };
  return (
    <div class="welcome">
      <h2>An agent you can take apart.</h2>
      <p class="lead">
        A model says something; one pure function decides what happens next. Here it runs in your browser: see every
        decision and why, approve what acts, go back to any step and on from there.
      </p>
      <div class="presets" role="group" aria-label="What to try">
        {PRESETS.map((option) => (
          <button
            type="button"
            key={option.id}
            class="offer"
            aria-pressed={option.id === preset.id}
            onClick={() => take_preset(option)}
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
          Ask {chosen_source().title}
        </button>
      </div>
      <p class="hint">{welcome_hint(trouble)}</p>
    </div>
  );
}

function welcome_hint(trouble: string): string {
  if (trouble !== "") return trouble;
  if (model_status.value.kind === "ready") return "The model is ready.";
  return `The script needs no download: its outputs are written by hand, everything else is real. ${chosen_source().summary}`;
}
