/** Announces a step to screen readers. */
import { eventWords } from "./event_words.js";
import { announce } from "./notices.js";
import type { Step } from "./steps.js";

export function announceStep(step: Step): void {
  announce(
    step.lines
      .map(({ event }) => eventWords(event))
      .map(({ label, text }) => `${label}: ${text.slice(0, 200)}`)
      .join(". "),
  );
}
