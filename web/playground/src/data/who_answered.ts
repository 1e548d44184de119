/** Who answered: by the name that a server told, or that the definition has for the model that was asked. */
import type { AgentDefinition, Event } from "../../../src/generated/wire.js";

/** The model that comes with this page. */
export const DEMONSTRATION_MODEL = "smollm2-135m-tools";
/** What the page's own script calls itself in a log. */
const SCRIPTED = "scripted";

/** Gives the model that is asked after an event, by the definition of the run. */
export function askedModel(event: Event, before: string | undefined): string | undefined {
  if (event.kind === "run_started") return (event.agent as AgentDefinition | null | undefined)?.models?.[0]?.name;
  return event.kind === "switched" && event.what === "model" ? event.to : before;
}

/** Gives the models that have said something, in their order. */
export function answeredBy(events: readonly Event[]): string[] {
  const names = new Set<string>();
  let asked: string | undefined;
  for (const event of events) {
    asked = askedModel(event, asked);
    const name = event.kind === "model_response" ? (event.model ?? asked) : undefined;
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** Gives a model in words: what little is to be expected of the page's own two is said with them. */
export function modelWords(name: string): string {
  if (name === SCRIPTED) return "a script";
  return name === DEMONSTRATION_MODEL ? `${name}, a small demonstration model` : name;
}
