/** Sessions that an earlier visit left: to go on with, or to discard. */
import { signal } from "@preact/signals";
import { decision_words } from "../data/event_words.js";
import { found_at } from "../data/found.js";
import { notify, words_of } from "../data/notices.js";
import { go_on, session, take_up } from "../data/run.js";
import type { Found, Session } from "../data/steps.js";
import { active_branch, title_of } from "../data/steps.js";
import { discard_session, free_sessions, hold_session, kept_sessions } from "../data/store.js";
import { counted } from "./amounts.js";

interface Offer {
  readonly session: Session;
  /** Where it stands, or why that cannot be told. */
  readonly stands: Found | string;
}

const offers = signal<readonly Offer[]>([]);

// More would push the page's own purpose out of sight; the others come up as these are dealt with.
const MAX_SHOWN = 2;

export async function find_offers(): Promise<void> {
  // Each is folded by the core, so those that are not shown have to wait.
  const kept = (await free_sessions(await kept_sessions())).slice(0, MAX_SHOWN);
  offers.value = await Promise.all(kept.map(async (session) => ({ session, stands: await stands_of(session) })));
}

async function stands_of(kept: Session): Promise<Found | string> {
  const { steps } = active_branch(kept);
  return found_at(steps, steps.length - 1).catch(words_of);
}

async function resume(offer: Offer): Promise<void> {
  await take_up(offer.session);
  await find_offers();
  if (is_open(offer)) await go_on();
}

async function discard({ session }: Offer): Promise<void> {
  if (!(await hold_session(session.id))) throw new Error("Another tab has this run open. Discard it there.");
  await discard_session(session.id);
  await find_offers();
}

/** Says why an offer could not be taken; another tab may have been quicker, and then there is another list. */
function reported(work: Promise<void>): void {
  void work.catch(async (error: unknown) => {
    notify(words_of(error), "failed");
    await find_offers();
  });
}

function is_open({ stands }: Offer): boolean {
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
  const { steps } = active_branch(offer.session);
  const open = is_open(offer);
  return (
    <section class={open ? "card waiting" : "card"} aria-label="A run of an earlier visit">
      <h3>{open ? "A run was under way when this page was closed" : "The last run is still here"}</h3>
      <p>
        “{title_of(steps)}”{" "}
        <span class="hint">
          {counted(steps.length, "step")}. {stands_words(offer)}
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

function stands_words({ stands }: Offer): string {
  if (typeof stands === "string") return stands;
  const { label, text } = decision_words(stands.decision);
  return `Next: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}
