/** How much the core does for each kind of model: chosen on the model's card, and taken by the next run. */
import { signal } from "@preact/signals";
import type { CarryLevel } from "../../../src/agent/carry.js";
import { CARRY_LEVELS } from "../../../src/agent/carry.js";
import type { SourceId } from "./source.js";

/** What a person chose. */
export const carryLevels = signal<Partial<Record<SourceId, CarryLevel>>>({});

export function carryOf(id: SourceId): CarryLevel {
  const level = carryLevels.value[id];
  return level && CARRY_LEVELS.includes(level) ? level : "off";
}

export function chooseCarry(id: SourceId, level: CarryLevel): void {
  carryLevels.value = { ...carryLevels.value, [id]: level };
}
