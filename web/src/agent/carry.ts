/**
 * How a model is asked where a definition does not say: how much the core does for it, what a probe found of it, and
 * its window.
 */
import { accepted } from "../errors.js";
import type { AnyCore } from "../core/core.js";
import { writeExactly } from "../exact_numbers.js";
import type { HostParts, ModelProfile, ModelSpec } from "../generated/wire.js";
import type { Model } from "./ports.js";

/** `off`: nothing; `ground`: examples are sent, and arguments are held to what was said. */
export type CarryLevel = NonNullable<ModelSpec["carry"]>;

/** All levels, the least help first. */
export const CARRY_LEVELS: readonly CarryLevel[] = ["off", "ground"];

/** Gives the text of a definition with what the host knows, where the definition says nothing; throws PurestepError. */
export async function completed(
  core: Pick<AnyCore, "complete_agent">,
  definition: string,
  parts: HostParts,
): Promise<string> {
  return accepted(await core.complete_agent(definition, writeExactly(parts)));
}

/**
 * Gives the profile of a model; undefined where nothing is known of it.
 *
 * The level and the window that the host has now stand before what a probe found.
 */
export function profileOf(
  { name, windowTokens, scores, supports }: Pick<Model, "name" | "windowTokens" | "scores" | "supports">,
  carry: CarryLevel | undefined,
  found?: Omit<ModelProfile, "name">,
): ModelProfile | undefined {
  const window = windowTokens === undefined ? undefined : { window_tokens: windowTokens };
  const form = supports && { dialect: "envelope", supports }; // which the core takes together only
  if (!found && !window && !scores && !form && (carry === undefined || carry === "off")) return undefined;
  return { ...form, ...found, ...window, ...(carry && { carry }), ...(scores && { scores }), name };
}
