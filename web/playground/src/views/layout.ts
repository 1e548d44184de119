/** Which parts the page shows: a narrow screen one of three, a wide one the conversation with what is open beside it. */
import { signal } from "@preact/signals";

export type View = "setup" | "chat" | "trail";

export const view = signal<View>("chat");

/** Whether the settings stand beside the conversation; kept between visits. */
export const settingsOpen = signal(false);

/** Whether the models to choose from lie over the conversation. */
export const modelsOpen = signal(false);

/** As the styles have it. */
const narrow = matchMedia("(max-width: 1080px)");
export const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", () => (isNarrow.value = narrow.matches));

/** Opens the settings or folds them away. */
export function turnSettings(): void {
  if (isNarrow.value) view.value = view.value === "setup" ? "chat" : "setup";
  else settingsOpen.value = !settingsOpen.value;
}

/** Shows a part, and brings the keyboard to a place in it. */
export function showView(next: View, place?: string): void {
  view.value = next;
  if (next === "setup") settingsOpen.value = true;
  if (!place) return;
  requestAnimationFrame(() => {
    const target = document.querySelector<HTMLElement>(place);
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView({ block: "nearest" });
    (target instanceof HTMLDetailsElement ? target.querySelector("summary") : target)?.focus();
  });
}
