/** The run on show beside another: driven again under another definition, or a second log. */
import { signal } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import { parseVerbatim } from "../../../src/exact_numbers.js";
import type { ChangedMove, LogDiff, PolicyDiff, Redriven } from "../../../src/generated/wire.js";
import { coreReady } from "../core/load_core.js";
import { redriven } from "./forking.js";
import { editedDefinition } from "./preferences.js";
import { branch, shownSteps } from "./run.js";
import type { Step } from "./steps.js";
import { logText } from "./steps.js";

interface Made {
  /** The steps that were compared: what was found says nothing of others. */
  readonly steps: readonly Step[];
}

export interface RedriveFound extends Made {
  readonly kind: "redrive";
  readonly found: Redriven;
  /** All decisions that differ, each looked at by itself. */
  readonly changes: readonly ChangedMove[];
  /** Whether a fork was wanted, which is not made where a decision differs. */
  readonly wasFork: boolean;
}

export interface DiffFound extends Made {
  readonly kind: "diff";
  /** The file of the other log. */
  readonly name: string;
  readonly found: LogDiff;
}

export const comparison = signal<RedriveFound | DiffFound | undefined>();

/** Gives the recorded facts of the branch to the definition in the editor. */
export async function redriveEdited(): Promise<RedriveFound> {
  const { steps } = branch.value!;
  const found = await redriven(steps, editedDefinition.value);
  const changes = found.same ? [] : await changesUnder(steps, editedDefinition.value);
  return show({ kind: "redrive", steps, found, changes, wasFork: false });
}

async function changesUnder(steps: readonly Step[], definition: string): Promise<readonly ChangedMove[]> {
  const core = await coreReady();
  return (parseVerbatim(accepted(await core.policy_diff_log(logText(steps), definition))) as PolicyDiff).changes;
}

/** Shows why a fork was not made. */
export function showRefusedFork(found: Redriven): void {
  show({ kind: "redrive", steps: shownSteps.value, found, changes: [], wasFork: true });
}

/** Compares the branch with the log of a file; throws where that is no log. */
export async function compareWith(name: string, text: string): Promise<DiffFound> {
  const { steps } = branch.value!;
  const core = await coreReady();
  const found = parseVerbatim(accepted(await core.diff_logs(logText(steps), text))) as LogDiff;
  return show({ kind: "diff", steps, name, found });
}

function show<Found extends RedriveFound | DiffFound>(found: Found): Found {
  comparison.value = found;
  return found;
}

/** Gives the index of the step that a line of its log is in, the line counted from 1. */
export function stepOfLine(steps: readonly Step[], line: number): number {
  let before = 0;
  return steps.findIndex((step) => (before += step.lines.length) >= line);
}
