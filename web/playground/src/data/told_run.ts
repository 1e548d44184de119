/** What a program needs to make the run on show again: its definition, its first question, what its tools returned. */
import type { AgentDefinition, Event } from "../../../src/generated/wire.js";
import type { ToldRun } from "./code_of_run.js";
import { wordsOf } from "./content_text.js";
import { innermost, type LogLine } from "./steps.js";

export function toldRun(lines: readonly LogLine[]): ToldRun {
  const events = lines.map(({ event }) => event);
  const began = events.find((event): event is Extract<Event, { kind: "run_started" }> => event.kind === "run_started");
  const asked = events.find(
    (event): event is Extract<Event, { kind: "user_message" }> => event.kind === "user_message",
  );
  const results = events
    .map(innermost)
    .flatMap((event) =>
      event.kind === "tool_result" && event.ok !== false && event.output !== undefined
        ? [[event.tool_name, event.output] as const]
        : [],
    );
  return {
    definition: (began?.agent ?? {}) as AgentDefinition,
    question: asked ? wordsOf(asked.content) : "",
    results: new Map(results),
  };
}
