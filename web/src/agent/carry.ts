/** The carry level of a run whose definition names none: how much the core does for its model. */
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { ModelSpec } from "../generated/wire.js";

/** `off`: nothing; `ground`: values come from the user's words; `route`: so do the tools, and calls without a choice. */
export type CarryLevel = NonNullable<ModelSpec["carry"]>;

/** All levels, the least help first. */
export const CARRY_LEVELS: readonly CarryLevel[] = ["off", "ground", "route"];

/**
 * Gives the text of a definition with this level for its first model, or for this one where it names no model.
 *
 * A definition that names a level is given back as it is, and so is one that is wrong, which the core says. The member
 * is added at the end, where the last of duplicate members counts: decoding the rest could change it.
 */
export function withCarry(definition: string, carry: CarryLevel | undefined, model: string): string {
  if (carry === undefined || carry === "off") return definition;
  const models = modelsOf(definition);
  if (!models || models.some((each) => each.carry != null)) return definition;
  const [first = { name: model }, ...others] = models;
  const own = definition.trim().slice(0, -1).trimEnd(); // without the bracket that ends it
  return `${own}${own === "{" ? "" : ","}"models":${writeExactly([{ ...first, carry }, ...others])}}`;
}

/** Gives the models that a definition names; undefined for one that the core will refuse. */
function modelsOf(definition: string): ModelSpec[] | undefined {
  try {
    const read = parseVerbatim(definition) as { models?: unknown };
    if (!definition.trimStart().startsWith("{")) return undefined;
    const { models = [] } = read;
    return Array.isArray(models) && models.every(isObject) ? (models as ModelSpec[]) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
