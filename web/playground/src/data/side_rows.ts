/** What two runs of one question did, row by row, and where they first differ. */
import type { Event } from "../../../src/generated/wire.js";
import type { Words } from "./event_words.js";
import { eventWords } from "./event_words.js";
import type { Step } from "./steps.js";
import { parsedDefinition } from "./steps.js";
import { answeredBy } from "./who_answered.js";

export interface Row extends Words {
  readonly event: Event;
}

/** Lines that say nothing of a course: what was asked is the same, and what the model wrote is shown as what it led to. */
const LEFT_OUT = new Set<Event["kind"]>(["run_started", "user_message", "model_response", "approval_request"]);

export function rowsOf(steps: readonly Step[]): Row[] {
  return steps
    .flatMap((step) => step.lines)
    .filter(({ event }) => !LEFT_OUT.has(event.kind) && !(event.kind === "verdict" && event.verdict === "accept"))
    .map(({ event }) => ({ event, ...wordsFor(event) }));
}

/** Ids of calls are left out: the row above names the call. */
function wordsFor(event: Event): Words {
  const words = eventWords(event);
  return event.kind === "approval" ? { ...words, text: event.reason ?? "" } : words;
}

/** Gives the index of the first row that is another one beside; undefined: none is so far. haveEnded: no row comes. */
export function firstDifference(
  one: readonly Words[],
  other: readonly Words[],
  haveEnded: boolean,
): number | undefined {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1)
    if (one[at]!.label !== other[at]!.label || one[at]!.text !== other[at]!.text) return at;
  return haveEnded && one.length !== other.length ? shorter : undefined;
}

/** What a run took; undefined where its log does not say. */
export interface Taken {
  readonly models: readonly string[];
  readonly ms?: number;
  readonly promptTokens?: number;
  readonly answerTokens?: number;
  /** In millionths of the unit. */
  readonly cost?: number;
  readonly unit?: string;
}

export function takenBy(steps: readonly Step[], definition: string | undefined): Taken {
  const events = steps.flatMap((step) => step.lines).map(({ event }) => event);
  const said = events.filter((event) => event.kind === "model_response");
  const sum = (values: readonly (number | null | undefined)[]): number | undefined => {
    const known = values.filter((value) => typeof value === "number");
    return known.length === 0 ? undefined : known.reduce((one, other) => one + other);
  };
  const parsed = definition === undefined ? {} : parsedDefinition(definition);
  return {
    models: answeredBy(events),
    ...known("ms", sum(events.map((event, index) => worked(events[index - 1], event)))),
    ...known("promptTokens", sum(said.map(({ usage }) => usage?.prompt_tokens))),
    ...known("answerTokens", sum(said.map(({ usage }) => usage?.completion_tokens))),
    ...known("cost", sum(said.map(({ cost }) => cost))),
    ...known("unit", [parsed.models?.find(({ price }) => price)?.price].flat()[0]?.unit),
  };
}

/** Gives the milliseconds from one event to the next; what a person took to approve is no time of the run. */
function worked(before: Event | undefined, event: Event): number | undefined {
  if (before?.at === undefined || event.at === undefined || event.kind === "approval") return undefined;
  return Math.max(0, event.at - before.at);
}

const known = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };
