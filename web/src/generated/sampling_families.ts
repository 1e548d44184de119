// Made from hosts/purestep_hosts/models/families.py by tools/types/tool_data.py; do not edit.

/** Models whose names begin alike; the settings that they refuse, and those they know by another name. */
export interface SamplingRules {
  readonly starts: readonly string[];
  readonly refused: readonly string[];
  readonly renamed: Readonly<Record<string, string>>;
}

export const SAMPLING_FAMILIES: readonly SamplingRules[] = [{"starts": ["o1", "o3", "o4", "gpt-5"], "refused": ["temperature", "top_p", "presence_penalty", "frequency_penalty", "top_k", "min_p", "repeat_penalty"], "renamed": {"max_tokens": "max_completion_tokens"}}];
export const NAME_ENDS: readonly string[] = ["-", "."];
