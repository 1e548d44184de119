/** What the core tells of the run beside its log: labels, origins, checks, cited sentences, advice. */
import { computed, effect, signal } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import type {
  ExplainedAnswer,
  ExplainedCall,
  ExplainedCorrection,
  ExplainedFailure,
  ExplainedWindow,
  Explanation,
} from "../../../src/generated/wire.js";
import { coreIsReady, coreReady } from "../core/load_core.js";
import { knownOf } from "./derived_steps.js";
import { branch } from "./run.js";
import type { Step } from "./steps.js";
import { logText } from "./steps.js";

interface Told {
  readonly calls: ReadonlyMap<string, ExplainedCall>;
  /** By the line that the answer, failure or correction stands in. */
  readonly answers: ReadonlyMap<number, ExplainedAnswer>;
  readonly failures: ReadonlyMap<number, ExplainedFailure>;
  readonly corrections: ReadonlyMap<number, ExplainedCorrection>;
  /** How full the model's window is after the last of the steps. */
  readonly window?: ExplainedWindow | undefined;
}

interface Explained extends Told {
  /** The last step that it is of, and how many there were: it holds for every branch that begins with them. */
  readonly last?: Step | undefined;
  readonly count: number;
}

const NOTHING: Explained = {
  count: 0,
  calls: new Map(),
  answers: new Map(),
  failures: new Map(),
  corrections: new Map(),
};

const newest = signal<Explained>(NOTHING);

/** The newest explanation, where it is of the branch on show. */
const explained = computed(() => (beginsWith(branch.value?.steps ?? [], newest.value) ? newest.value : NOTHING));

function beginsWith(steps: readonly Step[], { last, count }: Explained): boolean {
  return count > 0 && steps[count - 1] === last;
}

/** How many steps are explained: what is on show grows with it. */
export const explainedSteps = computed(() => explained.value.count);

/** How full the model's window is, where the core knows it. */
export const explainedWindow = computed(() => explained.value.window);

export const explainedCall = (call_id: string): ExplainedCall | undefined => explained.value.calls.get(call_id);
export const explainedAnswer = (seq: number): ExplainedAnswer | undefined => explained.value.answers.get(seq);
export const explainedFailure = (seq: number): ExplainedFailure | undefined => explained.value.failures.get(seq);

/** What an answer was that the core sent back, where the model's output holds it in a form of its own. */
export const correctedAnswer = (seq: number): string | undefined => explained.value.corrections.get(seq)?.said;

/** Has the core explain the branch on show whenever it changes; one request at a time. */
export function watchExplained(): void {
  let asking = false;
  let asked: readonly Step[] | undefined;
  const ask = async (): Promise<void> => {
    const steps = branch.value?.steps ?? [];
    if (!coreIsReady.value) return void (asked = undefined); // a core that is started again is asked again
    if (asking || steps === asked || steps.length === 0) return;
    asking = true;
    asked = steps;
    newest.value = await explain(steps);
    asking = false;
    await ask();
  };
  effect(() => void ask());
}

/** Explains the steps after those that are explained, since the core makes each again; else all of them. */
async function explain(steps: readonly Step[]): Promise<Explained> {
  const before = newest.value;
  const state = beginsWith(steps, before) ? knownOf(before.last!)?.state : undefined;
  const after = state === undefined ? undefined : await told(steps.slice(before.count), state).catch(() => undefined);
  // A log that does not hold was reported where it was opened.
  const found = after ? joined(before, after) : await told(steps).catch(() => NOTHING);
  return { ...found, last: steps.at(-1), count: steps.length };
}

async function told(steps: readonly Step[], state?: string): Promise<Told> {
  const core = await coreReady();
  const found = JSON.parse(accepted(await core.explain_log(logText(steps), state))) as Explanation;
  return {
    calls: new Map(found.calls.map((call) => [call.call_id, call])),
    answers: bySeq(found.answers),
    failures: bySeq(found.failures),
    corrections: bySeq(found.corrections ?? []),
    window: found.window,
  };
}

function bySeq<Entry extends { readonly seq: number }>(entries: readonly Entry[]): Map<number, Entry> {
  return new Map(entries.map((entry) => [entry.seq, entry]));
}

/** Of a call the latest word holds; its origins are told while a person is asked, and stay. */
function joined(before: Told, after: Told): Told {
  const calls = new Map(before.calls);
  for (const [call_id, call] of after.calls) {
    const origins = call.origins ?? calls.get(call_id)?.origins;
    calls.set(call_id, { ...call, ...(origins && { origins }) });
  }
  return {
    calls,
    answers: new Map([...before.answers, ...after.answers]),
    failures: new Map([...before.failures, ...after.failures]),
    corrections: new Map([...before.corrections, ...after.corrections]),
    window: after.window,
  };
}
