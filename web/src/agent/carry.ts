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

/** Tells whether a state is of a run with this definition as it stands; throws PurestepError for what is none. */
export async function isOf(core: Pick<AnyCore, "load_agent">, definition: string, state: string): Promise<boolean> {
  const digest = accepted(await core.load_agent(definition));
  try {
    return (JSON.parse(state) as { agent?: unknown }).agent === digest;
  } catch {
    return false; // the core says what is wrong with it
  }
}

/**
 * Gives the profile of a model; undefined where nothing is known of it.
 *
 * The level and the window that the host has now stand before what a probe found.
 */
export function profileOf(
  {
    name,
    windowTokens,
    scores,
    profile,
    supports,
    taught,
  }: Pick<Model, "name" | "windowTokens" | "scores" | "profile" | "supports" | "taught">,
  carry: CarryLevel | undefined,
  found?: Omit<ModelProfile, "name">,
): ModelProfile | undefined {
  const window = windowTokens === undefined ? undefined : { window_tokens: windowTokens };
  const form = formOf(supports, taught, found);
  if (!found && !window && !scores && !profile && !form && (carry === undefined || carry === "off")) return undefined;
  const served = profile && { profile };
  return { ...form, ...found, ...window, ...served, ...(carry && { carry }), ...(scores && { scores }), name };
}

/** Gives how a model is asked for itself: as it was taught, in a form that a probe found, or held to what it takes. */
function formOf(
  supports: Model["supports"],
  taught: Model["taught"],
  found: Omit<ModelProfile, "name"> | undefined,
): Omit<ModelProfile, "name"> | undefined {
  if (taught && found?.dialect) {
    const { sha256, adapter } = taught;
    return { ...(sha256 && { sha256 }), ...(adapter && { adapter }) };
  }
  return taught ?? (supports && { dialect: "envelope", supports }); // which the core takes together only
}
