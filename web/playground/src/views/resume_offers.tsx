/** Stored sessions of earlier visits, to continue or discard. */
import { signal } from "@preact/signals";
import { decisionWords } from "../data/event_words.js";
import { derivedAt } from "../data/derived_steps.js";
import { notify, wordsOf } from "../data/notices.js";
import { continueRun, session, openSession } from "../data/run.js";
import type { DerivedStep, Session } from "../data/steps.js";
import { activeBranch, titleOf } from "../data/steps.js";
import { discardSession, unlockedSessions, lockSession, keptSessions } from "../data/store.js";
import { counted } from "./amounts.js";
import { Outside } from "./outside.js";

interface Offer {
  readonly session: Session;
  /** Its last step, or why that cannot be derived. */
  readonly stands: DerivedStep | string;
}

const offers = signal<readonly Offer[]>([]);

// More would push the page's own purpose out of sight; the others come up as these are dealt with.
const MAX_SHOWN = 2;

export async function findOffers(): Promise<void> {
  // Each is folded by the core, so those that are not shown have to wait.
  const kept = (await unlockedSessions(await keptSessions())).slice(0, MAX_SHOWN);
  offers.value = await Promise.all(kept.map(async (session) => ({ session, stands: await standsOf(session) })));
}

async function standsOf(kept: Session): Promise<DerivedStep | string> {
  const { steps } = activeBranch(kept);
  return derivedAt(steps, steps.length - 1).catch(wordsOf);
}

async function resume(offer: Offer): Promise<void> {
  await openSession(offer.session);
  await findOffers();
  if (isOpen(offer)) await continueRun();
}

async function discard({ session }: Offer): Promise<void> {
  if (!(await lockSession(session.id))) throw new Error("Another tab has this run open. Discard it there.");
  await discardSession(session.id);
  await findOffers();
}

/** Says why an offer could not be taken; another tab may have been quicker, and then there is another list. */
function reported(work: Promise<void>): void {
  void work.catch(async (error: unknown) => {
    notify(wordsOf(error), "failed");
    await findOffers();
  });
}

function isOpen({ stands }: Offer): boolean {
  return typeof stands !== "string" && stands.decision.type !== "done" && stands.decision.type !== "failed";
}

export function ResumeOffers() {
  if (session.value) return null;
  return (
    <>
      {offers.value.map((offer) => (
        <OfferCard key={offer.session.id} offer={offer} />
      ))}
    </>
  );
}

function OfferCard({ offer }: { offer: Offer }) {
  const { steps } = activeBranch(offer.session);
  const open = isOpen(offer);
  return (
    <section class={open ? "card waiting" : "card"} aria-label="A run from an earlier visit">
      <h3>{open ? "This page was closed during a run" : "Your last run is stored here"}</h3>
      <p>
        “<Outside text={titleOf(steps)} />”{" "}
        <span class="hint">
          {counted(steps.length, "step")}. {standsWords(offer)}
        </span>
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={typeof offer.stands === "string"}
          onClick={() => reported(resume(offer))}
        >
          {open ? "Resume" : "Open"}
        </button>
        <button type="button" onClick={() => reported(discard(offer))}>
          Discard
        </button>
      </div>
    </section>
  );
}

function standsWords({ stands }: Offer): string {
  if (typeof stands === "string") return stands;
  const { label, text } = decisionWords(stands.decision);
  return `Next: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}
