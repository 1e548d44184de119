/** All that watch a run, as one watcher: that of the ports, and those that were added since. */
import type { Approval } from "../generated/wire.js";
import type {
  AgentPlace,
  AskedCall,
  DueCall,
  OutputWatcher,
  PromptProgress,
  StepTaken,
  ToolOutcome,
  Watcher,
} from "./ports.js";

export class Watchers implements Required<Watcher> {
  readonly #all = new Set<Watcher>();

  constructor(first: Watcher | undefined) {
    if (first) this.#all.add(first);
  }

  /** Adds a watcher; gives what removes it. */
  add(watcher: Watcher): () => void {
    this.#all.add(watcher);
    return () => void this.#all.delete(watcher);
  }

  /**
   * Gives a watcher of one output that receives nothing after the run is stopped, since a model may not stop at once.
   *
   * place: of the agent whose output it is.
   */
  until(signal: AbortSignal, place: AgentPlace): OutputWatcher {
    const to = place.path ? this.below(place) : this;
    return {
      onText: (text) => void (signal.aborted || to.onText(text)),
      onReasoning: (text) => void (signal.aborted || to.onReasoning(text)),
      onCall: (tool, params) => void (signal.aborted || to.onCall(tool, params)),
      onPromptRead: (progress) => void (signal.aborted || to.onPromptRead(progress)),
      onProgress: (chars) => void (signal.aborted || to.onProgress(chars)),
      onRetract: () => void (signal.aborted || to.onRetract()),
    };
  }

  /** Gives all that watch an output of an agent that the run calls. */
  below(place: AgentPlace): Watchers {
    const found = new Watchers(undefined);
    this.#tell((each) => {
      const watcher = each.below?.(place);
      if (watcher) found.add(watcher);
    });
    return found;
  }

  onText(text: string): void {
    this.#tell((each) => each.onText?.(text));
  }

  onReasoning(text: string): void {
    this.#tell((each) => each.onReasoning?.(text));
  }

  onCall(tool: string, params: Readonly<Record<string, unknown>>): void {
    this.#tell((each) => each.onCall?.(tool, params));
  }

  onPromptRead(progress: PromptProgress): void {
    this.#tell((each) => each.onPromptRead?.(progress));
  }

  onProgress(chars: number): void {
    this.#tell((each) => each.onProgress?.(chars));
  }

  onRetract(): void {
    this.#tell((each) => each.onRetract?.());
  }

  onStep(step: StepTaken): void {
    this.#tell((each) => each.onStep?.(step));
  }

  onCalls(calls: readonly DueCall[]): void {
    this.#tell((each) => each.onCalls?.(calls));
  }

  onResult(call: DueCall, outcome: ToolOutcome): void {
    this.#tell((each) => each.onResult?.(call, outcome));
  }

  onAsked(calls: readonly AskedCall[]): void {
    this.#tell((each) => each.onAsked?.(calls));
  }

  onAnswered(approvals: readonly Approval[]): void {
    this.#tell((each) => each.onAnswered?.(approvals));
  }

  #tell(event: (each: Watcher) => unknown): void {
    for (const each of [...this.#all]) toldSafely(each, () => event(each));
  }
}

/** Those whose fault stands on the console already: one that fails at each piece of text would fill it. */
const reported = new WeakSet<object>();

/**
 * Tells something that only looks on: what it throws, at once or later, goes to the console, once for each.
 *
 * It must neither end a run nor lose the result of a call that has had its effect.
 */
export function toldSafely(listener: object, tell: () => unknown): void {
  const report = (error: unknown): void => {
    if (reported.has(listener)) return;
    reported.add(listener);
    console.error("What watches a run has thrown; the run goes on, and further errors of it are not shown:", error);
  };
  try {
    const told = tell();
    if (told instanceof Promise) told.catch(report);
  } catch (error) {
    report(error);
  }
}
