/** Notices, which stay until they are dismissed, and announcements for screen readers. */
import { signal } from "@preact/signals";
import { sanitize } from "../../../src/sanitize.js";

export interface Notice {
  readonly id: number;
  readonly tone: "info" | "failed";
  readonly text: string;
}

export const notices = signal<readonly Notice[]>([]);

/** The last announcement, for a polite live region. */
export const announced = signal("");

let lastId = 0;

export function notify(text: string, tone: Notice["tone"] = "info"): void {
  // The same thing said twice is one notice: a server that is away fails again on every try.
  const others = notices.value.filter((notice) => notice.text !== text);
  notices.value = [...others, { id: ++lastId, tone, text }].slice(-3);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function announce(text: string): void {
  announced.value = sanitize(text);
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
