/**
 * The keyboard's place in the page, kept where the control that had it goes away or can act no more.
 *
 * It moves to the control that follows the one before: what now stands in its place. Whoever brings it elsewhere on
 * purpose comes first, since that happens while the page is drawn.
 */
const CONTROLS = "button, a[href], input, select, textarea, summary, [tabindex='0']";
const PARTS = "dialog, main > section, header, nav, .notices";

interface Place {
  readonly control: HTMLElement;
  /** Those before it, in the order of the keyboard. */
  readonly before: readonly HTMLElement[];
  readonly part: Element | null;
}

let place: Place | undefined;

/** Begins to keep it. */
export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    const control = target as HTMLElement;
    // A finger or a mouse has its place by itself.
    if (!control.matches(":focus-visible")) return void (place = undefined);
    const part = control.closest(PARTS);
    const before = controlsIn(part).filter((other) => isBefore(other, control));
    place = { control, before, part };
  });
  const changes = { subtree: true, childList: true, attributeFilter: ["disabled", "hidden", "open"] };
  new MutationObserver(() => void (place && isLost() && requestAnimationFrame(bringBack))).observe(document, changes);
}

const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null;

function controlsIn(part: Element | null): HTMLElement[] {
  return part ? [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter(takesFocus) : [];
}

const isBefore = (other: Node, control: Node): boolean =>
  (control.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;

function takesFocus(control: HTMLElement): boolean {
  const isAble = !control.matches(":disabled") && control.tabIndex >= 0;
  return isAble && control.checkVisibility({ visibilityProperty: true });
}

function bringBack(): void {
  if (!place || !isLost() || (place.control.isConnected && takesFocus(place.control))) return;
  const controls = controlsIn(place.part);
  const previous = place.before.findLast((control) => controls.includes(control));
  const next = controls[previous ? controls.indexOf(previous) + 1 : 0] ?? previous;
  next?.focus({ preventScroll: false });
}
