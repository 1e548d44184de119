/** A button, and what it shows over the conversation until it is pressed again, or Escape, or the reader is elsewhere. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.js";

interface FoldOutProps {
  readonly id: string;
  readonly title: string;
  readonly isOpen: Signal<boolean>;
  /** What stands on the button. */
  readonly face: ComponentChildren;
  readonly children: ComponentChildren;
}

export function FoldOut({ id, title, isOpen, face, children }: FoldOutProps) {
  const part = useRef<HTMLDivElement>(null);
  const open = isOpen.value;
  // As soon as it is there: other effects come after a frame, and a quick click before that would be missed.
  useLayoutEffect(() => {
    if (!open) return undefined;
    const ending = new AbortController();
    const away = ({ target }: Event): void => {
      if (!part.current?.contains(target as Node)) isOpen.value = false;
    };
    const escape = ({ key }: KeyboardEvent): void => {
      // A dialog above it takes the key for itself.
      if (key !== "Escape" || document.querySelector("dialog[open]")) return;
      isOpen.value = false;
      part.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", away, ending);
    // It would lie over whatever has the keyboard then.
    document.addEventListener("focusin", away, ending);
    document.addEventListener("keydown", escape, ending);
    return () => ending.abort();
  }, [open]);
  return (
    <div class="fold-out" ref={part}>
      <button
        type="button"
        class="quiet small"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => (isOpen.value = !open)}
      >
        {face}
        <Icon name="unfold" />
      </button>
      {open && (
        <div class="card folded-out" id={id} role="group" aria-labelledby={`${id}-title`}>
          <h3 id={`${id}-title`}>{title}</h3>
          {children}
        </div>
      )}
    </div>
  );
}
