/** Forks: a run with an id and keys of its own that begins with the steps of another. */
import { computed } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import type { Redriven } from "../../../src/generated/wire.js";
import { parseVerbatim } from "../../../src/exact_numbers.js";
import { coreReady } from "../core/load_core.js";
import { editedDefinition } from "./preferences.js";
import { openSession, session, shownSteps } from "./run.js";
import type { Session, Step } from "./steps.js";
import { logText, newRunId, sessionOfLog, titleOf } from "./steps.js";
import { keepSession } from "./store.js";

/** The text that the definition of the session was edited as; undefined for a log that was only opened. */
const ownText = (now: Session): string | undefined => now.edited ?? (now.opened ? undefined : (now.definition ?? ""));

/** Whether the definition in the editor is another one than that of the run on show, which it was made from. */
export const isEdited = computed(() => {
  const own = session.value && ownText(session.value);
  return own !== undefined && own !== editedDefinition.value;
});

/** Drives recorded steps again; definition: what to drive them under, null for their own. */
export async function redriven(
  steps: readonly Step[],
  definition: string | null,
  run_id: string | null = null,
): Promise<Redriven> {
  const core = await coreReady();
  return parseVerbatim(accepted(await core.redrive_log(logText(steps), definition, run_id))) as Redriven;
}

/**
 * Makes a run of the steps on show and shows it; the run that they are of stays as it is.
 *
 * definition: what it goes on under, null for its own. Gives what differs where that definition decides otherwise, and
 * then makes nothing.
 */
export async function forkShown(definition: string | null): Promise<Redriven | undefined> {
  const from = session.value;
  const steps = shownSteps.value;
  if (!from || steps.length === 0) return undefined;
  const id = newRunId();
  const made = await redriven(steps, definition, id);
  if (!made.same) return made;
  const edited = definition ?? from.edited;
  const made_of = { name: from.opened ?? titleOf(steps), steps: steps.length, isForeign: isForeign(from) };
  const fork = sessionOfLog(made.log, { id, fork: made_of, ...(edited !== undefined && { edited }) });
  await openSession(fork);
  await keepSession(fork);
  return undefined;
}

/** Whether the steps of a session came from a file, so that their calls and approvals are not those of this user. */
export function isForeign({ opened, fork }: Session): boolean {
  return opened !== undefined || (fork?.isForeign ?? false);
}
