/** Forks: a run with an id and keys of its own that begins with the steps of another. */
import { computed, signal } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import type { Redriven } from "../../../src/generated/wire.js";
import { parseVerbatim } from "../../../src/exact_numbers.js";
import { coreReady } from "../core/load_core.js";
import { laidOut } from "./json_layout.js";
import { editedDefinition, replaceDefinition } from "./preferences.js";
import { openSession, session, shownSteps } from "./run.js";
import type { Session, Step } from "./steps.js";
import { logText, newRunId, sessionOfLog, titleOf } from "./steps.js";
import { keepSession } from "./store.js";

/** The definition of a run that was put into the editor, as the text it was put there. */
const taken = signal<{ readonly session: string; readonly text: string } | undefined>();

/** The text that the definition of the session was edited as; undefined for a log that was only opened. */
function ownText(now: Session): string | undefined {
  if (taken.value?.session === now.id) return taken.value.text;
  return now.edited ?? (now.opened ? undefined : (now.definition ?? ""));
}

/** Puts the definition of the run on show into the editor, where it can be changed and the run driven again under it. */
export function editItsDefinition(): void {
  const now = session.value!;
  const text = now.edited ?? laidOut(now.definition ?? "{}");
  taken.value = { session: now.id, text };
  if (text !== editedDefinition.value) replaceDefinition(text);
}

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
  const edited = definition ?? from.edited ?? (from.definition === null ? undefined : laidOut(from.definition));
  const origin = { name: from.opened ?? titleOf(steps), steps: steps.length, isForeign: isForeign(from) };
  const fork = sessionOfLog(made.log, { id, fork: origin, ...(edited !== undefined && { edited }) });
  await openSession(fork);
  await keepSession(fork);
  return undefined;
}

/** Whether the steps of a session came from a file, so that their calls and approvals are not those of this user. */
export function isForeign({ opened, fork }: Session): boolean {
  return opened !== undefined || (fork?.isForeign ?? false);
}

/** Runs what goes on with the run on show; a log that was opened is looked at, so it is forked before. */
export async function goOn<Value>(work: () => Promise<Value>): Promise<Value> {
  if (session.value?.opened !== undefined) {
    const refused = await forkShown(null);
    if (refused)
      throw new Error(`This release decides otherwise at line ${refused.line}, so the log cannot go on here.`);
  }
  return work();
}
