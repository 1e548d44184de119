/** The settings kept between visits, never a key; without storage they are lost. */
import { computed, effect, signal } from "@preact/signals";
import { carryLevels } from "../models/carry.js";
import { chosen } from "../models/choice.js";
import { speeds } from "../models/speed.js";
import { profiles } from "../models/profiles.js";
import { httpSettings, isServerName, type ChosenServer } from "../models/http_source.js";
import { script, setOutputs } from "../models/scripted.js";
import { settingsOpen } from "../views/layout.js";
import { definitionText, PRESETS } from "../presets.js";
import { mcpServers, storableServers } from "./mcp_servers.js";
import { ownCodes } from "./own_code.js";

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
  settings_open: boolean;
  chosen: typeof chosen.value;
  carry: typeof carryLevels.value;
  profiles: typeof profiles.value;
  speeds: typeof speeds.value;
  definition: string;
  own: string;
  preset: string;
  outputs: string[];
  server: ChosenServer;
  base_url: string;
  model: string;
  own_code: typeof ownCodes.value;
  mcp_servers: typeof mcpServers.value;
}

export function restorePreferences(): void {
  setOutputs(PRESETS[0]!.script);
  const stored = read();
  if (stored.theme) theme.value = stored.theme;
  if (stored.settings_open) settingsOpen.value = stored.settings_open;
  if (stored.chosen) chosen.value = stored.chosen;
  if (stored.carry) carryLevels.value = stored.carry;
  if (stored.profiles) profiles.value = stored.profiles;
  if (stored.speeds) speeds.value = stored.speeds;
  if (stored.definition !== undefined) editedDefinition.value = stored.definition;
  if (stored.own) ownDefinition.value = stored.own;
  if (stored.preset) presetId.value = stored.preset;
  if (stored.outputs) setOutputs(stored.outputs);
  if (stored.own_code) ownCodes.value = stored.own_code;
  if (stored.mcp_servers) mcpServers.value = stored.mcp_servers;
  httpSettings.value = {
    server: stored.server !== undefined && isServerName(stored.server) ? stored.server : "own",
    base_url: stored.base_url ?? httpSettings.value.base_url,
    model: stored.model ?? httpSettings.value.model,
    key: "",
  };
  effect(() => write(current()));
}

function current(): Stored {
  const { server, base_url, model } = httpSettings.value;
  return {
    theme: theme.value,
    settings_open: settingsOpen.value,
    chosen: chosen.value,
    carry: carryLevels.value,
    profiles: profiles.value,
    speeds: speeds.value,
    definition: editedDefinition.value,
    own: ownDefinition.value,
    preset: presetId.value,
    outputs: [...script.value.outputs],
    server,
    base_url,
    model,
    own_code: ownCodes.value,
    mcp_servers: storableServers.value,
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
