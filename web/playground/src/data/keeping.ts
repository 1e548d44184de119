/** Keeps each step of a run before it is acted on, and asks a person where that fails. */
import type { Session, Step } from "./steps.js";
import { isStored, keepStep } from "./store.js";
import { askUnstored } from "./waiting.js";

/** The runs that go on although their steps are not stored, as the person said. */
const unstored = new Set<string>();
let asking = new AbortController();

/** Stores a step; where that fails and the steps before it are stored, a person says whether the run goes on. */
export async function keepOrAsk(session: Session, branch: string, index: number, step: Step): Promise<void> {
  while (!(await keepStep(session, branch, index, step))) {
    if (!isStored(session) || unstored.has(session.id)) return;
    asking = new AbortController();
    if ((await askUnstored(index, asking.signal)) === "unstored") unstored.add(session.id);
  }
  unstored.delete(session.id);
}

/** Ends the asking: a run that is stopped goes on to its end without being stored. */
export function stopAsking(): void {
  asking.abort();
}
