/** What a test found of each kind of model: taken by the next run, where its definition does not say it. */
import { signal } from "@preact/signals";
import type { ProbeProfile } from "../../../src/agent/probe.js";
import { chooseCarry } from "./carry.js";
import type { SourceId } from "./source.js";

/** The profile that a person took for a kind of model; it is for the model of its name alone. */
export const profiles = signal<Partial<Record<SourceId, ProbeProfile>>>({});

/** Has the next runs of this model asked in the way of the profile. */
export function useProfile(id: SourceId, profile: ProbeProfile): void {
  profiles.value = { ...profiles.value, [id]: profile };
  chooseCarry(id, profile.carry ?? "off");
}

export function removeProfile(id: SourceId): void {
  const { [id]: _, ...others } = profiles.value;
  profiles.value = others;
}

/** Gives the profile of the model with that name. */
export function profileFor(id: SourceId, name: string): ProbeProfile | undefined {
  const taken = profiles.value[id];
  return taken?.name === name ? taken : undefined;
}
