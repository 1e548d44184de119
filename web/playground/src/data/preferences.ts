/** The settings kept between visits, never a key; without storage they are lost. */
import { computed, effect, signal } from "@preact/signals";
import { carryLevels } from "../models/carry.js";
import { chosen } from "../models/choice.js";
import { profiles } from "../models/profiles.js";
import { httpSettings } from "../models/http_source.js";
import { script, setOutputs } from "../models/scripted.js";
import { definitionText, PRESETS } from "../presets.js";

const KEY = "purestep-playground";

export type Theme = "system" | "light" | "dark";

export const theme = signal<Theme>("system");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(prefersDark.matches);
prefersDark.addEventListener("change", () => (systemDark.value = prefersDark.matches));

export const isDark = computed(() => theme.value === "dark" || (theme.value === "system" && systemDark.value));

/** The definition in the editor; the running session keeps the one it began with. */
export const editedDefinition = signal(definitionText(PRESETS[0]!));
export const presetId = signal(PRESETS[0]!.id);

/** The person's own definition, kept while a preset is in the editor; empty without one. */
export const ownDefinition = signal("");

/** Whether the text in the editor is of no preset. */
export const isOwn = computed(
  () =>
    editedDefinition.value.trim() !== "" &&
    !PRESETS.some((preset) => definitionText(preset) === editedDefinition.value),
);

/** Puts another definition into the editor; the person's own one can be taken back. */
export function replaceDefinition(text: string): void {
  if (isOwn.value) ownDefinition.value = editedDefinition.value;
  editedDefinition.value = text;
}

interface Stored {
  theme: Theme;
  chosen: typeof chosen.value;
  carry: typeof carryLevels.value;
  profiles: typeof profiles.value;
  definition: string;
  own: string;
  preset: string;
  outputs: string[];
  base_url: string;
  model: string;
}

export function restorePreferences(): void {
  setOutputs(PRESETS[0]!.script);
  const stored = read();
  if (stored.theme) theme.value = stored.theme;
  if (stored.chosen) chosen.value = stored.chosen;
  if (stored.carry) carryLevels.value = stored.carry;
  if (stored.profiles) profiles.value = stored.profiles;
  if (stored.definition !== undefined) editedDefinition.value = stored.definition;
  if (stored.own) ownDefinition.value = stored.own;
  if (stored.preset) presetId.value = stored.preset;
  if (stored.outputs) setOutputs(stored.outputs);
  httpSettings.value = {
    base_url: stored.base_url ?? httpSettings.value.base_url,
    model: stored.model ?? httpSettings.value.model,
    key: "",
  };
  effect(() => write(current()));
}

function current(): Stored {
  const { base_url, model } = httpSettings.value;
  return {
    theme: theme.value,
    chosen: chosen.value,
    carry: carryLevels.value,
    profiles: profiles.value,
    definition: editedDefinition.value,
    own: ownDefinition.value,
    preset: presetId.value,
    outputs: [...script.value.outputs],
    base_url,
    model,
  };
}

function read(): Partial<Stored> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
  } catch {
    return {}; // no storage, or somebody else's text
  }
}

function write(stored: Stored): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Settings are forgotten; runs have their own notice where they cannot be kept.
  }
}
