/** The frame of a dialog over the page: its title, what stands beside it, and the way to close it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icons.js";

export interface PageDialogProps {
  readonly isOpen: boolean;
  /** Called once it is to close: by its button, by Escape, or by the browser. */
  readonly onClose: () => void;
  readonly title: ComponentChildren;
  /** A class for its own size or look. */
  readonly look?: string;
  /** Stands beside the title. */
  readonly beside?: ComponentChildren;
  /** Stands before the button that closes. */
  readonly before?: ComponentChildren;
  /** Stands below the title and does not scroll. */
  readonly tabs?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function PageDialog(props: PageDialogProps) {
  const { isOpen, onClose, title, look = "", beside, before, tabs, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog class={`inspector ${look}`} ref={dialog} aria-labelledby={id} onClose={onClose}>
      {isOpen && (
        <>
          <div class="dialog-head">
            <h2 id={id}>{title}</h2>
            {beside}
            <span class="grow" />
            {before}
            <button type="button" class="quiet icon-only" aria-label="Close" onClick={() => dialog.current?.close()}>
              <Icon name="close" />
            </button>
          </div>
          {tabs}
          <div class="dialog-body">{children}</div>
        </>
      )}
    </dialog>
  );
}
