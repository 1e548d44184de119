/** Stored sessions of earlier visits, to continue or discard. */
import { signal, useSignal } from "@preact/signals";
import { decisionWords } from "../data/event_words.js";
import { derivedAt } from "../data/derived_steps.js";
import { isForeign } from "../data/forking.js";
import { notify, wordsOf } from "../data/notices.js";
import { continueRun, session, openSession } from "../data/run.js";
import type { DerivedStep, Session } from "../data/steps.js";
import { activeBranch, titleOf } from "../data/steps.js";
import { discardSession, unlockedSessions, lockSession, keptSessions } from "../data/store.js";
import { counted } from "./amounts.js";
import { UntrustedText } from "./untrusted_text.js";

interface Offer {
  readonly session: Session;
  /** Its last step, or why that cannot be derived. */
  readonly stands: DerivedStep | string;
}

/** The newest stored run, which the core has derived, and all the others. */
const offer = signal<Offer | undefined>();
const others = signal<readonly Session[]>([]);

export async function findOffers(): Promise<void> {
  const [newest, ...older] = await unlockedSessions(await keptSessions());
  offer.value = newest && { session: newest, stands: await standsOf(newest) };
  others.value = older;
}

async function standsOf(kept: Session): Promise<DerivedStep | string> {
  const { steps } = activeBranch(kept);
  return derivedAt(steps, steps.length - 1).catch(wordsOf);
}

async function resume({ session, stands }: Offer): Promise<void> {
  await open(session);
  if (goesOn(session, stands)) await continueRun();
}

async function open(session: Session): Promise<void> {
  await openSession(session);
  await findOffers();
}

async function discard(session: Session): Promise<void> {
  if (!(await lockSession(session.id))) throw new Error("Another tab has this run open. Discard it there.");
  await discardSession(session.id);
  await findOffers();
}

/** Says why a run could not be taken; another tab may have been quicker, and then there is another list. */
function reported(work: Promise<void>): void {
  void work.catch(async (error: unknown) => {
    notify(wordsOf(error), "failed");
    await findOffers();
  });
}

function isUnfinished(stands: DerivedStep | string): boolean {
  return typeof stands !== "string" && stands.decision.type !== "done" && stands.decision.type !== "failed";
}

/** Whether opening a run continues it: of what came from a file, a person looks at what is next before. */
function goesOn(session: Session, stands: DerivedStep | string): boolean {
  return isUnfinished(stands) && !isForeign(session);
}

export function ResumeOffers() {
  if (session.value) return null;
  return (
    <>
      {offer.value && <OfferCard key={offer.value.session.id} offer={offer.value} />}
      {others.value.length > 0 && <EarlierRuns sessions={others.value} />}
    </>
  );
}

function OfferCard({ offer }: { offer: Offer }) {
  const { session, stands } = offer;
  const unfinished = goesOn(session, stands);
  return (
    <section class={unfinished ? "card waiting" : "card"} aria-label="A run from an earlier visit">
      <h3>{offerTitle(session, unfinished)}</h3>
      <p>
        “<UntrustedText text={titleOf(activeBranch(session).steps)} />”{" "}
        <span class="hint">
          {counted(activeBranch(session).steps.length, "step")}. {standsWords(stands)}
        </span>
      </p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={typeof stands === "string"}
          onClick={() => reported(resume(offer))}
        >
          {unfinished ? "Resume" : "Open"}
        </button>
        <Discard session={session} />
      </div>
    </section>
  );
}

function offerTitle({ opened }: Session, unfinished: boolean): string {
  if (opened !== undefined) return "The log that you opened last is stored here";
  return unfinished ? "This page was closed during a run" : "Your last run is stored here";
}

function standsWords(stands: DerivedStep | string): string {
  if (typeof stands === "string") return stands;
  const { label, text } = decisionWords(stands.decision);
  return `${isUnfinished(stands) ? "Next" : "Ended"}: ${label}${text ? ` (${text.slice(0, 60)})` : ""}`;
}

function EarlierRuns({ sessions }: { sessions: readonly Session[] }) {
  return (
    <details class="runs">
      <summary>{counted(sessions.length, "earlier run")}</summary>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <span class="run-title">
              <UntrustedText text={titleOf(activeBranch(session).steps).slice(0, MAX_TITLE_CHARS)} />
            </span>
            <span class="hint">
              {new Date(session.created).toLocaleString()}, {counted(activeBranch(session).steps.length, "step")}
            </span>
            <span class="buttons">
              <button type="button" class="small" onClick={() => reported(open(session))}>
                Open
              </button>
              <Discard session={session} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const MAX_TITLE_CHARS = 120;

/** Discards a stored run, once that was said twice: it cannot be taken back. */
function Discard({ session }: { session: Session }) {
  const asked = useSignal(false);
  if (!asked.value) {
    return (
      <button type="button" onClick={() => (asked.value = true)}>
        Discard
      </button>
    );
  }
  return (
    <>
      <button type="button" class="stop" onClick={() => reported(discard(session))}>
        Discard for good
      </button>
      <button type="button" onClick={() => (asked.value = false)}>
        Keep it
      </button>
    </>
  );
}
