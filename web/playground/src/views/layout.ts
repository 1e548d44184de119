/** Which of the three parts a narrow screen shows; a wide one shows all of them. */
import { signal } from "@preact/signals";

export type View = "setup" | "chat" | "trail";

export const view = signal<View>("chat");

/** Shows a part, and brings the keyboard to a place in it. */
export function showView(next: View, place?: string): void {
  view.value = next;
  if (!place) return;
  requestAnimationFrame(() => {
    const target = document.querySelector<HTMLElement>(place);
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView({ block: "nearest" });
    (target instanceof HTMLDetailsElement ? target.querySelector("summary") : target)?.focus();
  });
}
