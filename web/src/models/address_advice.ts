/** What a server's own list of models says about a request that it found no address or model for. */
import { firstCharacters } from "../characters.js";

/** Gives the names of the models that a server lists at an address; undefined where it has no such list. */
export type ListModels = (url: string) => Promise<readonly string[] | undefined>;

const COMPLETIONS_PATH = "/chat/completions";
/** As many names as show what was meant, and of each as much as a line has room for. */
const MOST_NAMES = 5;
const MOST_NAME_CHARS = 100;
/** Of a name that is meant: the share of pairs of letters that both have. */
const NEAR = 0.4;

/** Gives a sentence on what was meant: a model with another name, or the address with `/v1`; empty for neither. */
export async function addressAdvice(url: URL, model: string, list: ListModels): Promise<string> {
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  const root = path.endsWith(COMPLETIONS_PATH) ? path.slice(0, -COMPLETIONS_PATH.length) : path;
  const names = await list(`${url.origin}${root}/models${url.search}`);
  if (names) {
    const named = nearNames(model, names).map(shown).join(", ") || "none at all";
    return names.includes(model) ? "" : `It has no model ${shown(model)}, but ${named}.`;
  }
  if (root.split("/").includes("v1")) return "";
  const base = `${url.origin}${root}/v1`;
  return (await list(`${base}/models`)) ? `Its models are at ${base}: give this base URL.` : "";
}

/** Gives the names that are nearest to one, else the first ones. */
function nearNames(name: string, names: readonly string[]): readonly string[] {
  const shares = names.map((other) => [other, likeness(name, other)] as const);
  const near = shares.filter(([, share]) => share >= NEAR).sort(([, one], [, other]) => other - one);
  return (near.length > 0 ? near.map(([other]) => other) : names).slice(0, MOST_NAMES);
}

/** Gives the share of pairs of letters that two names have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const [here, there] = [pairs(one), pairs(other)];
  const common = [...here].filter((pair) => there.has(pair)).length;
  return (2 * common) / (here.size + there.size || 1);
}

function pairs(name: string): Set<string> {
  const text = name.toLowerCase();
  return new Set(Array.from(text, (_, at) => text.slice(at, at + 2)));
}

/** Gives a name as a message has it: on one line, and no longer than that has room for. */
function shown(name: string): string {
  return firstCharacters(name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ""), MOST_NAME_CHARS);
}
