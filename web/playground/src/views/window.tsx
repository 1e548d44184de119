/**
 * The newest part of a long list, with a button for what came before.
 *
 * A run of hundreds of turns would else be thousands of elements, all compared again at every step.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { counted } from "./amounts.js";

/** How many entries are shown at first, and how many more each time. */
export const WINDOW = 60;

export interface Shown {
  /** The index of the first entry that is shown. */
  readonly from: number;
  readonly to: number;
  /** Put before the entries. */
  readonly earlier: ComponentChildren;
}

/**
 * Tells which entries of a list to show.
 *
 * around: an index that has to be among them. what: one entry's name, for the button.
 */
export function useWindow(count: number, what: string, around = count - 1): Shown {
  const size = useSignal(WINDOW);
  const to = Math.min(count, Math.max(around + 1 + WINDOW / 2, size.value));
  const from = Math.max(0, Math.min(around + 1, to) - size.value);
  const earlier =
    from === 0 ? null : <Earlier count={from} what={what} more={() => void (size.value += WINDOW)} key="earlier" />;
  return { from, to, earlier };
}

function Earlier({ count, what, more }: { count: number; what: string; more: () => void }) {
  const show = (button: HTMLElement): void => {
    const scroll = button.closest(".scroll");
    const height = scroll?.scrollHeight ?? 0;
    more();
    // What is read stays in its place while entries are put before it.
    requestAnimationFrame(() => scroll?.scrollBy({ top: scroll.scrollHeight - height }));
  };
  return (
    <button type="button" class="quiet small earlier" onClick={(event) => show(event.currentTarget)}>
      Show more of {counted(count, `earlier ${what}`)}
    </button>
  );
}
