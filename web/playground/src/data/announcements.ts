/** A step in words, for those who listen to the page. */
import { event_words } from "./event_words.js";
import { announce } from "./notices.js";
import type { Step } from "./steps.js";

export function announce_step(step: Step): void {
  announce(
    step.lines
      .map(({ event }) => event_words(event))
      .map(({ label, text }) => `${label}: ${text.slice(0, 200)}`)
      .join(". "),
  );
}
