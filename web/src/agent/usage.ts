/** What an exchange used, as its state counts it. */

import type { RunState } from "../generated/wire.js";

/**
 * What one exchange used, as far as the model's server reported tokens; `cached_tokens` are those of the prompt that it
 * had in its cache. `cost` is in millionths of the unit of the definition's prices, absent where it names none.
 */
export interface RunUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens?: number;
  readonly turns: number;
  readonly tool_calls: number;
  readonly cost?: number;
}

export const NO_USAGE: RunUsage = { prompt_tokens: 0, completion_tokens: 0, turns: 0, tool_calls: 0 };

/** Gives the counts of a state, which leaves out those that are 0. */
export function usageOf(state: string): RunUsage {
  const { exchange } = JSON.parse(state) as RunState;
  const { input_tokens = 0, output_tokens = 0, cached_tokens, turns, tool_calls = 0, cost } = exchange.used;
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    ...(cached_tokens === undefined ? {} : { cached_tokens }),
    turns,
    tool_calls,
    ...(cost === undefined ? {} : { cost }),
  };
}
