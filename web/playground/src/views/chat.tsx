/** The conversation: what was said and done up to the step on show, what the run waits for, and the next question. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { chatEntries } from "../data/chat_entries.js";
import { branch, closeSession, retryWait, running, session, shownSteps, streamedOutput, viewed } from "../data/run.js";
import { titleOf } from "../data/steps.js";
import { waiting } from "../data/waiting.js";
import { modelStatus } from "../models/choice.js";
import { Composer } from "./composer.js";
import { Entry, WrittenCall } from "./chat_entry.js";
import { Icon } from "./icons.js";
import { Outside } from "./outside.js";
import { EarlierStepBar, UnfinishedRunBar } from "./run_bars.js";
import { LoadModel } from "./model_card.js";
import { ResumeOffers } from "./resume_offers.js";
import { WaitingCard } from "./waiting_card.js";
import { Welcome } from "./welcome.js";

export function Chat() {
  const entries = chatEntries(shownSteps.value);
  const lookingBack = viewed.value !== undefined;
  return (
    <section class="view chat" id="chat" aria-label="Conversation">
      <SessionHead />
      <div class="scroll" ref={useFollow()}>
        <div class="thread">
          <ResumeOffers />
          {entries.length === 0 && !running.value && <Welcome />}
          {entries.map((entry, index) => (
            <Entry key={index} entry={entry} />
          ))}
          {!lookingBack && <Now />}
        </div>
      </div>
      <div class="foot">
        <EarlierStepBar />
        <UnfinishedRunBar />
        <Composer />
      </div>
    </section>
  );
}

/** Which run this is, and the way to another one. */
function SessionHead() {
  const now = session.value;
  if (!now) return null;
  return (
    <div class="chat-head">
      <p>
        <Outside text={now.opened ?? titleOf(branch.value!.steps)} />
      </p>
      <button type="button" class="quiet small" disabled={running.value} onClick={closeSession}>
        <Icon name="plus" /> New run
      </button>
    </div>
  );
}

/** What is under way: the model loads, thinks or speaks, or somebody has to answer. */
function Now() {
  if (!running.value) return null;
  return (
    <>
      {modelStatus.value.kind === "loading" && (
        <div class="card">
          <LoadModel />
        </div>
      )}
      {streamedOutput.value && waiting.value.length === 0 && <StreamingEntry />}
      {retryWait.value !== undefined && <WaitingToRetry ms={retryWait.value} />}
      {waiting.value.map((card) => (
        <WaitingCard key={card.id} card={card} />
      ))}
    </>
  );
}

function StreamingEntry() {
  const { text, calls, chars } = streamedOutput.value!;
  const seconds = useSeconds();
  if (text !== "" || calls.length > 0) {
    return (
      <>
        {text !== "" && (
          <p class="said by-model speaking">
            <Outside text={text} />
          </p>
        )}
        {calls.map(({ tool, params }, index) => (
          <WrittenCall key={index} tool={tool} params={params} />
        ))}
      </>
    );
  }
  const doing = chars === 0 ? "The model reads the prompt" : `The model writes, ${chars} characters`;
  return (
    <p class="thinking hint">
      <span class="pulse" /> {doing}
      {seconds > 0 && `, ${seconds} s`}
    </p>
  );
}

function WaitingToRetry({ ms }: { ms: number }) {
  const left = Math.max(0, Math.ceil(ms / 1000) - useSeconds());
  return (
    <p class="thinking hint">
      <span class="pulse" /> The model failed; it is asked again in {left} s
    </p>
  );
}

/** Counts the seconds that something takes: a small model on a CPU needs some, and must not look stuck. */
function useSeconds(): number {
  const seconds = useSignal(0);
  useEffect(() => {
    const clock = setInterval(() => (seconds.value += 1), 1000);
    return () => clearInterval(clock);
  }, []);
  return seconds.value;
}

/** Keeps the newest entry in sight, unless the reader has scrolled away from it. */
function useFollow() {
  const scroll = useRef<HTMLDivElement>(null);
  const near = useRef(true);
  useEffect(() => {
    const element = scroll.current!;
    const note = (): void => void (near.current = element.scrollHeight - element.scrollTop - element.clientHeight < 80);
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, []);
  useSignalEffect(() => {
    void [shownSteps.value, streamedOutput.value, waiting.value];
    requestAnimationFrame(() => near.current && scroll.current?.scrollTo({ top: scroll.current.scrollHeight }));
  });
  return scroll;
}
