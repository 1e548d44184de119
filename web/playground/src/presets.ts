/** Agents to begin with, and the text of their definitions as a person would write it. */
import { ADDER, APPROVAL, HONEST_FAILURE, PAGE_READER } from "./presets/agents.js";
import type { Preset } from "./presets/preset.js";
import { CRASH, INJECTION, LOOP, SOURCES, STORIES, TWICE } from "./presets/stories.js";

export { STORIES };
export type { Preset };

export const PRESETS: readonly Preset[] = [
  ADDER,
  PAGE_READER,
  APPROVAL,
  SOURCES,
  HONEST_FAILURE,
  INJECTION,
  TWICE,
  LOOP,
  CRASH,
];

/** Gives the preset that a definition is of, as it is offered. */
export const presetOf = (definition: string): Preset | undefined =>
  PRESETS.find((preset) => definitionText(preset) === definition);

export const definitionText = (preset: Preset): string => `${indented(preset.definition)}\n`;

// Short values on one line, as a person would write them.
const LINE_CHARS = 76;

function indented(value: unknown, indent = ""): string {
  const line = spaced(value);
  if (line.length + indent.length <= LINE_CHARS || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => inner + indented(member, inner))
    : Object.entries(value).map(([name, member]) => `${inner}${JSON.stringify(name)}: ${indented(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.join(",\n")}\n${indent}${close}`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
