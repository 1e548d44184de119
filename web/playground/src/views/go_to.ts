/** From an answer to the calls that it rests on, and back: brings the keyboard there, which also marks the place. */
import { notify } from "../data/notices.js";

/** from: an element of the run, where another one than the one on show may be meant. */
export const goToCall = (call_id: string, from?: Element): void =>
  goTo(`[data-call="${CSS.escape(call_id)}"]`, "The call", from);
export const goToAnswerOf = (call_id: string): void => goTo(`[data-cites~="${CSS.escape(call_id)}"]`, "The answer");

function goTo(place: string, what: string, from?: Element): void {
  const thread = from?.closest(".thread") ?? document.querySelector("#chat .thread");
  const found = [...(thread?.querySelectorAll<HTMLElement>(place) ?? [])].at(-1);
  if (!found) return notify(`${what} stands further up: show the earlier messages first.`);
  found.scrollIntoView({ block: "nearest" });
  found.focus({ preventScroll: true });
}
