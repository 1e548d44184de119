/** All that watch a run, as one watcher: that of the ports, and those that were added since. */
import type { Approval, ToolCall } from "../generated/wire.js";
import type { AskedCall, DueCall, OutputWatcher, PromptProgress, StepTaken, ToolOutcome, Watcher } from "./ports.js";

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

  /** Gives a watcher that receives nothing after the run is stopped, since a model may not stop at once. */
  until(signal: AbortSignal): OutputWatcher {
    return {
      onText: (text) => void (signal.aborted || this.onText(text)),
      onReasoning: (text) => void (signal.aborted || this.onReasoning(text)),
      onCall: (tool, params) => void (signal.aborted || this.onCall(tool, params)),
      onPromptRead: (progress) => void (signal.aborted || this.onPromptRead(progress)),
      onProgress: (chars) => void (signal.aborted || this.onProgress(chars)),
      onRetract: () => void (signal.aborted || this.onRetract()),
    };
  }

  onText(text: string): void {
    for (const each of this.#all) each.onText?.(text);
  }

  onReasoning(text: string): void {
    for (const each of this.#all) each.onReasoning?.(text);
  }

  onCall(tool: string, params: Readonly<Record<string, unknown>>): void {
    for (const each of this.#all) each.onCall?.(tool, params);
  }

  onPromptRead(progress: PromptProgress): void {
    for (const each of this.#all) each.onPromptRead?.(progress);
  }

  onProgress(chars: number): void {
    for (const each of this.#all) each.onProgress?.(chars);
  }

  onRetract(): void {
    for (const each of this.#all) each.onRetract?.();
  }

  onStep(step: StepTaken): void {
    for (const each of this.#all) each.onStep?.(step);
  }

  onCalls(calls: readonly DueCall[]): void {
    for (const each of this.#all) each.onCalls?.(calls);
  }

  onResult(call: ToolCall, outcome: ToolOutcome): void {
    for (const each of this.#all) each.onResult?.(call, outcome);
  }

  onAsked(calls: readonly AskedCall[]): void {
    for (const each of this.#all) each.onAsked?.(calls);
  }

  onAnswered(approvals: readonly Approval[]): void {
    for (const each of this.#all) each.onAnswered?.(approvals);
  }
}
