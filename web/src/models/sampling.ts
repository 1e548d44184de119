/** Sampling settings as a named model takes them; the families and what they refuse are data that native hosts share. */
import { NAME_ENDS, SAMPLING_FAMILIES, type SamplingRules } from "../generated/sampling_families.js";

/** Gives the settings as the model takes them; those without a value are left out. */
export function samplingFor(model: string, sampling: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const family = familyOf(model.slice(model.lastIndexOf("/") + 1).toLowerCase());
  const given = Object.entries(sampling).filter(([, value]) => value !== null && value !== undefined);
  if (!family) return Object.fromEntries(given);
  const taken = given.filter(([name]) => !family.refused.includes(name));
  return Object.fromEntries(taken.map(([name, value]) => [family.renamed[name] ?? name, value]));
}

function familyOf(name: string): SamplingRules | undefined {
  const begins = (start: string): boolean => name === start || NAME_ENDS.some((end) => name.startsWith(start + end));
  return SAMPLING_FAMILIES.find(({ starts }) => starts.some(begins));
}
