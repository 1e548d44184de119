/** Runs the calls of one decision at once; after a stop it gives what is known of each. */
import type { Clock, DueCall, ToolOutcome } from "./ports.js";
import { INTERRUPTED } from "./run_tool.js";

/** How long a stopped call may take to come back, as on native hosts: a page cannot end a tool that ignores its signal. */
const STOP_MS = 2_000;

/**
 * Gives a result for each call, in their order: a call that does not come back after `signal` aborts is interrupted.
 *
 * `told` is called with each outcome when it comes, and never after the promise has settled.
 */
export async function runCalls(
  calls: readonly DueCall[],
  run: (call: DueCall) => Promise<ToolOutcome>,
  signal: AbortSignal,
  told: (call: DueCall, outcome: ToolOutcome) => void,
  clock: Clock,
): Promise<(ToolOutcome & { readonly call_id: string })[]> {
  const outcomes = new Map<DueCall, ToolOutcome>();
  let isOver = false;
  const keep = (call: DueCall, outcome: ToolOutcome): void => {
    if (isOver) return;
    outcomes.set(call, ended(outcome, clock));
    told(call, outcome);
  };
  const stop = stopOf(signal);
  try {
    await Promise.race([stop.over, Promise.all(calls.map(async (call) => keep(call, await run(call))))]);
    for (const call of calls) if (!outcomes.has(call)) keep(call, INTERRUPTED);
  } finally {
    isOver = true;
    stop.close();
  }
  return calls.map((call) => ({ call_id: call.call_id, ...outcomes.get(call)! }));
}

/** Gives an outcome with when it came; one that was stopped, or goes on elsewhere, has no such time. */
export function ended(outcome: ToolOutcome, clock: Clock): ToolOutcome {
  return outcome === INTERRUPTED || outcome.pending ? outcome : { ...outcome, ended_at: clock() };
}

/** Gives what settles once a stop has left calls their time. */
function stopOf(signal: AbortSignal): { over: Promise<void>; close: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begin!: () => void;
  const over = new Promise<void>((resolve) => (begin = () => void (timer = setTimeout(resolve, STOP_MS))));
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin);
  return {
    over,
    close() {
      clearTimeout(timer);
      signal.removeEventListener("abort", begin);
    },
  };
}
