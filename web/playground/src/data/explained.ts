/** What the core tells of the run beside its log: labels, origins, checks, cited sentences, advice. */
import { computed, effect, signal } from "@preact/signals";
import { accepted } from "../../../src/errors.js";
import type { ExplainedAnswer, ExplainedCall, ExplainedFailure, Explanation } from "../../../src/generated/wire.js";
import { coreReady } from "../core/load_core.js";
import { branch, running } from "./run.js";
import type { Step } from "./steps.js";
import { logText } from "./steps.js";

interface Explained {
  /** The last step that it is of, and how many there were: it holds for every branch that begins with them. */
  readonly last?: Step | undefined;
  readonly count: number;
  readonly calls: ReadonlyMap<string, ExplainedCall>;
  /** By the line that the answer or failure stands in. */
  readonly answers: ReadonlyMap<number, ExplainedAnswer>;
  readonly failures: ReadonlyMap<number, ExplainedFailure>;
}

const NOTHING: Explained = { count: 0, calls: new Map(), answers: new Map(), failures: new Map() };

const newest = signal<Explained>(NOTHING);

/** The newest explanation, where it is of the branch on show. */
const explained = computed(() => {
  const { last, count } = newest.value;
  return count > 0 && branch.value?.steps[count - 1] === last ? newest.value : NOTHING;
});

/** How many steps are explained: what is on show grows with it. */
export const explainedSteps = computed(() => explained.value.count);

export const explainedCall = (call_id: string): ExplainedCall | undefined => explained.value.calls.get(call_id);
export const explainedAnswer = (seq: number): ExplainedAnswer | undefined => explained.value.answers.get(seq);
export const explainedFailure = (seq: number): ExplainedFailure | undefined => explained.value.failures.get(seq);

// Explaining makes every step again: past this, a run under way is not held up for it.
const MOST_STEPS_OF_A_RUN = 100;

/** Has the core explain the branch on show whenever it changes; one request at a time. */
export function watchExplained(): void {
  let asking = false;
  let asked: readonly Step[] | undefined;
  const ask = async (): Promise<void> => {
    const steps = branch.value?.steps ?? [];
    const waits = running.value && steps.length > MOST_STEPS_OF_A_RUN;
    if (asking || waits || steps === asked || steps.length === 0) return;
    asking = true;
    asked = steps;
    // A log that does not hold was reported where it was opened.
    newest.value = await explain(steps).catch(() => NOTHING);
    asking = false;
    await ask();
  };
  effect(() => void ask());
}

async function explain(steps: readonly Step[]): Promise<Explained> {
  const core = await coreReady();
  const found = JSON.parse(accepted(await core.explain_log(logText(steps)))) as Explanation;
  return { last: steps.at(-1), count: steps.length, ...byName(found) };
}

function byName({ calls, answers, failures }: Explanation): Pick<Explained, "calls" | "answers" | "failures"> {
  return {
    calls: new Map(calls.map((call) => [call.call_id, call])),
    answers: new Map(answers.map((answer) => [answer.seq, answer])),
    failures: new Map(failures.map((failure) => [failure.seq, failure])),
  };
}
