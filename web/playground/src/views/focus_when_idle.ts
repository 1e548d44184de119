/** Where the keyboard goes when a card asks for an answer, and when it has got one. */
import { useEffect, useRef } from "preact/hooks";

/** Brings the keyboard to the card when it appears, unless somebody is writing elsewhere; back to the question after. */
export function useFocusWhenIdle<Place extends HTMLElement = HTMLTextAreaElement>() {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (!isWriting()) bringFocus(place.current);
    return () => requestAnimationFrame(focusQuestionIfLost);
  }, []);
  return place;
}

/** Brings the keyboard to an element; the reader's place in the page stays. */
export function bringFocus(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
}

function isWriting(): boolean {
  const active = document.activeElement;
  if (active?.id === "question") return (active as HTMLTextAreaElement).value !== "";
  return active?.closest("textarea, input, select, dialog, .editor") != null;
}

/** What had the keyboard is gone, and with it the place in the page. */
function focusQuestionIfLost(): void {
  if (document.activeElement === document.body) document.getElementById("question")?.focus({ preventScroll: true });
}
