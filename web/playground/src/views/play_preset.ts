/** Plays a preset with its script, in a run of its own: what comes after it goes to the model that is chosen. */
import { editedDefinition, presetId, replaceDefinition } from "../data/preferences.js";
import { play } from "../data/run.js";
import type { Preset } from "../presets.js";
import { definitionText } from "../presets.js";
import { showView } from "./layout.js";

export function playPreset(preset: Preset): void {
  presetId.value = preset.id;
  replaceDefinition(definitionText(preset));
  showView("chat");
  void play(preset.question, editedDefinition.value, preset.script);
}
