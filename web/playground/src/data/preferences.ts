/** What the page remembers of its settings between visits; never a key. Without storage it simply forgets. */
import { computed, effect, signal } from "@preact/signals";
import { chosen } from "../models/choice.js";
import { http_settings } from "../models/http_source.js";
import { script, set_outputs } from "../models/scripted.js";
import { definition_text, PRESETS } from "../presets.js";

const KEY = "purestep-playground";

export type Theme = "system" | "light" | "dark";

export const theme = signal<Theme>("system");
const prefers_dark = matchMedia("(prefers-color-scheme: dark)");
const system_dark = signal(prefers_dark.matches);
prefers_dark.addEventListener("change", () => (system_dark.value = prefers_dark.matches));

export const is_dark = computed(() => theme.value === "dark" || (theme.value === "system" && system_dark.value));

/** The definition in the editor; the running session keeps the one it began with. */
export const edited_definition = signal(definition_text(PRESETS[0]!));
export const preset_id = signal(PRESETS[0]!.id);

interface Stored {
  theme: Theme;
  chosen: typeof chosen.value;
  definition: string;
  preset: string;
  outputs: string[];
  base_url: string;
  model: string;
}

export function restore_preferences(): void {
  set_outputs(PRESETS[0]!.script);
  const stored = read();
  if (stored.theme) theme.value = stored.theme;
  if (stored.chosen) chosen.value = stored.chosen;
  if (stored.definition !== undefined) edited_definition.value = stored.definition;
  if (stored.preset) preset_id.value = stored.preset;
  if (stored.outputs) set_outputs(stored.outputs);
  http_settings.value = {
    base_url: stored.base_url ?? http_settings.value.base_url,
    model: stored.model ?? http_settings.value.model,
    key: "",
  };
  effect(() => write(current()));
}

function current(): Stored {
  const { base_url, model } = http_settings.value;
  return {
    theme: theme.value,
    chosen: chosen.value,
    definition: edited_definition.value,
    preset: preset_id.value,
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
