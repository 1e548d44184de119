/**
 * What ranks an agent's tools for a search of its model: a function of the program, as a tool that only the core calls.
 *
 * The core puts the best few together with its own order by words, and does without them where the function fails.
 */
import { toolOfSpec } from "../tools/tool.js";
import type { Tool } from "./ports.js";

/** A tool as it is ranked. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
}

/** Gives for a query and some tools a score of each, in their order: the higher, the better it fits, on any scale. */
export type RankTools = (
  query: string,
  tools: readonly ToolText[],
  signal: AbortSignal,
) => ArrayLike<number> | Promise<ArrayLike<number>>;

/** Gives a vector of each text. */
export type Embed = (
  texts: string[],
  signal: AbortSignal,
) => readonly ArrayLike<number>[] | Promise<readonly ArrayLike<number>[]>;

interface ScoredTool {
  readonly name: string;
  readonly score: number;
}

/** Gives the tool that the core calls for a search among `texts`. */
export function rankingTool(rank: RankTools, texts: readonly ToolText[]): Tool {
  return toolOfSpec(SPEC, async ({ query, limit }, _call, signal) => {
    const scores = await rank(query as string, texts, signal);
    if (scores.length !== texts.length)
      throw new RangeError(`expected ${texts.length} scores, one of each tool; got ${scores.length}`);
    const scored = texts.map(({ name }, at) => ({ name, score: scores[at] as number }));
    const unfit = scored.find(({ score }) => !Number.isFinite(score));
    if (unfit) throw new RangeError(`expected scores that are finite numbers; got ${unfit.score} for ${unfit.name}`);
    return scored.sort(byScore).slice(0, limit as number);
  });
}

/** Orders the best first, and equal ones by name: the same in Python, so that both leave out the same ones. */
function byScore(one: ScoredTool, other: ScoredTool): number {
  return other.score - one.score || (one.name < other.name ? -1 : 1);
}

const SPEC = {
  name: "rank_tools",
  description: "Score tools for a search.",
  parameters: {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer" } },
    required: ["query", "limit"],
  },
  annotations: { readOnlyHint: true, idempotentHint: true },
};

/**
 * Gives what ranks tools by the cosine of their texts' vectors with that of the query.
 *
 * The vectors of the tools are kept, so that a search embeds the query alone.
 */
export function byEmbedding(embed: Embed): RankTools {
  const known = new WeakMap<readonly ToolText[], readonly Float64Array[]>();
  return async (query, tools, signal) => {
    const vectors = known.get(tools) ?? units(await embed(tools.map(written), signal));
    known.set(tools, vectors);
    const [asked] = units(await embed([query], signal));
    return vectors.map((vector) => vector.reduce((sum, number, at) => sum + number * (asked?.[at] ?? NaN), 0));
  };
}

function written({ name, description }: ToolText): string {
  return `${name}: ${description}`;
}

function units(vectors: readonly ArrayLike<number>[]): Float64Array[] {
  return vectors.map((vector) => {
    const length = Math.hypot(...Array.from(vector)) || 1;
    return Float64Array.from(vector, (number) => number / length);
  });
}
