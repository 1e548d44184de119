/** Why a run ended without an answer, as a sentence for who asked; its details stand below in the words of the core. */

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ["guardrail", "There is no answer that passed its checks."],
  ["postcondition", "There is no answer that meets its conditions."],
  ["obligation", "There is no answer: the model did not use the tool it has to."],
  ["answer_refused", "The answer was withheld: a rule of this agent does not let it out."],
  ["denied", "There is no answer: the model keeps asking for what was refused."],
  ["repeated_call", "There is no answer: the model makes the same call again and again."],
  ["parse_error", "There is no answer: what the model wrote could not be read."],
  ["truncated", "There is no answer: what the model wrote was cut off."],
  ["inconclusive", "There is no answer: the model neither answered nor called a tool."],
  ["unknown_tool", "There is no answer: the model keeps calling a tool that there is not."],
  ["invalid_arguments", "There is no answer: the model keeps calling a tool with arguments that do not fit."],
  ["tool_choice", "There is no answer: the model did not keep to the tool choice."],
  ["answer_schema", "There is no answer in the form that was asked for."],
  ["model_error", "There is no answer: the model could not be asked."],
  ["outcome_unknown", "The run stopped: nobody knows whether a call has had its effect."],
  ["window", "There is no answer: the conversation is longer than the model can read."],
  ["budget", "There is no answer: the run used more than it may."],
  ["unsupported_part", "There is no answer: the model cannot read what was attached."],
  ["max_turns", "There is no answer: the run took more turns than it may."],
  ["max_tool_calls", "There is no answer: the run made more calls than it may."],
  ["deadline", "There is no answer: the run took longer than it may."],
]);

export function failureSentence(code: string): string {
  return SENTENCES.get(code) ?? `There is no answer: ${code.replaceAll("_", " ")}.`;
}
