/** What an exchange used, as its state counts it. */

/** What one exchange used, as far as the model's server reported tokens. */
export interface RunUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly turns: number;
  readonly tool_calls: number;
}

export const NO_USAGE: RunUsage = { prompt_tokens: 0, completion_tokens: 0, turns: 0, tool_calls: 0 };

/** Gives the counts of a state, which leaves out those that are 0. */
export function usageOf(state: string): RunUsage {
  const counts = JSON.parse(state) as Partial<
    Record<"input_tokens" | "output_tokens" | "turns" | "tool_calls", number>
  >;
  const { input_tokens = 0, output_tokens = 0, turns = 0, tool_calls = 0 } = counts;
  return { prompt_tokens: input_tokens, completion_tokens: output_tokens, turns, tool_calls };
}
