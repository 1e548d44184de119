/** Approve by phone: what it takes is loaded with the first code, so the page opens without it. */
import { signal } from "@preact/signals";
import { notify, wordsOf } from "../data/notices.js";
import { waiting } from "../data/waiting.js";
import type { WaitingApproval } from "../data/waiting.js";
import { PageDialog } from "./page_dialog.js";

type StepsModule = typeof import("./phone_steps.js");

const steps = signal<StepsModule | undefined>();
const asked = signal<WaitingApproval | undefined>();

/** Shows the code of a card's calls. */
export function askPhone(card: WaitingApproval): void {
  asked.value = card;
  import("./phone_steps.js").then(
    (loaded) => (steps.value = loaded),
    (error: unknown) => notify(`The code could not be loaded. ${wordsOf(error)}`, "failed"),
  );
}

export function PhoneDialog() {
  const card = asked.value;
  const isOpen = card !== undefined && waiting.value.includes(card); // it may be answered here meanwhile
  const Steps = steps.value?.PhoneSteps;
  return (
    <PageDialog isOpen={isOpen} onClose={() => (asked.value = undefined)} title="Approve by phone" look="phone">
      {isOpen && (Steps ? <Steps key={card.id} card={card} /> : <p class="hint">The code is being made.</p>)}
    </PageDialog>
  );
}
