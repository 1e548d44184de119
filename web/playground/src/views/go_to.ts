/** From an answer to the calls that it rests on, and back: brings the keyboard there, which also marks the place. */
import { notify } from "../data/notices.js";

export const goToCall = (call_id: string): void => goTo(`[data-call="${CSS.escape(call_id)}"]`, "The call");
export const goToAnswerOf = (call_id: string): void => goTo(`[data-cites~="${CSS.escape(call_id)}"]`, "The answer");

function goTo(place: string, what: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(`.thread ${place}`)].at(-1);
  if (!found) return notify(`${what} stands further up: show the earlier messages first.`);
  found.scrollIntoView({ block: "nearest" });
  found.focus({ preventScroll: true });
}
