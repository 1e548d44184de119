/** Checks in words: what an output or an answer that passed one is known to be, and why another was sent back. */

const PASSED: ReadonlyMap<string, string> = new Map([
  ["plausibility", "says something"],
  ["not_empty", "is not empty"],
  ["not_metadata", "is more than a total line"],
  ["has_substance", "has words or numbers"],
  ["output_schema", "fits the tool's schema"],
  ["planning", "is no mere plan"],
  ["echo", "is not the question again"],
  ["obligation", "used the tool it has to"],
  ["observations", "says what it rests on"],
  ["values", "its values stand in results"],
  ["answer_schema", "has the form asked for"],
  ["citations", "what it cites stands in the results"],
  ["tool", "a check tool accepts it"],
  ["schema", "has the right shape"],
  ["pattern", "has the right form"],
  ["any", "is one of what it may be"],
  ["not", "is nothing that it must not be"],
]);

/** What is known of an output or an answer that this check let pass. */
export function passedWords(check: string): string {
  return PASSED.get(check) ?? `keeps ${checkName(check)}`;
}

/** The name of a check, as verdicts have it. */
export function checkName(check: string): string {
  if (check === "agent_changed") return "the definition, which has changed";
  return check.endsWith("_schema") ? check.replace("_", " ") : `check ${check}`;
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ["parse_error", "it could not be read"],
  ["truncated", "it was cut off"],
  ["unknown_tool", "there is no such tool"],
  ["invalid_arguments", "the arguments did not fit"],
  ["guardrail", "it did not pass a check"],
  ["postcondition", "it did not meet a condition"],
  ["inconclusive", "it was neither an answer nor a call"],
  ["obligation", "it did not use the tool it has to"],
  ["tool_choice", "it did not keep to the tool choice"],
  ["answer_schema", "it did not have the form asked for"],
  ["repeated_call", "the same call was made before"],
]);

/** Why the model is asked again, by the cause of the correction. */
export function causeWords(cause: string): string {
  return CAUSES.get(cause) ?? cause.replaceAll("_", " ");
}
