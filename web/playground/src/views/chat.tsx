/** The conversation: what was said and done up to the step on show, what the run waits for, and the next question. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PromptProgress } from "../../../src/agent/ports.js";
import type { LoadProgress } from "../../../src/core/boot.js";
import { againWords, coreStatus, isCoreLost, loadCoreAgain } from "../core/load_core.js";
import { chatEntries } from "../data/chat_entries.js";
import { explainedSteps } from "../data/explained.js";
import {
  branch,
  closeSession,
  retryWait,
  running,
  sentQuestion,
  session,
  shownSteps,
  stoppedOutput,
  streamedOutput,
  viewed,
} from "../data/run.js";
import { titleOf } from "../data/steps.js";
import { streamedBelow } from "../data/streamed_below.js";
import { waiting } from "../data/waiting.js";
import { modelStatus } from "../models/choice.js";
import { bytes, counted } from "./amounts.js";
import { AfterRun } from "./after_run.js";
import { Composer } from "./composer.js";
import { Entry, WrittenCall } from "./chat_entry.js";
import { Icon } from "./icons.js";
import { Long } from "./long.js";
import { UntrustedText } from "./untrusted_text.js";
import { EarlierStepBar, UnfinishedRunBar } from "./run_bars.js";
import { LoadModel } from "./model_card.js";
import { Reasoning } from "./reasoning.js";
import { ResumeOffers } from "./resume_offers.js";
import { WaitingCard } from "./waiting_card.js";
import { Welcome } from "./welcome.js";
import { useWindow } from "./window.js";

export function Chat() {
  const entries = chatEntries(shownSteps.value);
  const lookingBack = viewed.value !== undefined;
  const { from, earlier } = useWindow(entries.length, "message");
  return (
    <section class="view chat" id="chat" aria-label="Conversation">
      <SessionHead />
      <div class="scroll" ref={useFollow()}>
        <div class="thread">
          {!isCoreLost() && <CoreFailure />}
          <ResumeOffers />
          {entries.length === 0 && !running.value && <Welcome />}
          {earlier}
          {entries.slice(from).map((entry, index) => (
            <Entry key={from + index} entry={entry} />
          ))}
          {!lookingBack && <Now />}
          {!lookingBack && <Stopped />}
          <AfterRun />
        </div>
      </div>
      <div class="foot">
        {isCoreLost() && <CoreFailure />}
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
        <UntrustedText text={now.opened ?? titleOf(branch.value!.steps)} />
        {now.fork && (
          <span class="hint">
            {" "}
            fork after step {now.fork.steps} of <UntrustedText text={now.fork.name} />
          </span>
        )}
      </p>
      <button type="button" class="quiet small" disabled={running.value} onClick={closeSession}>
        <Icon name="plus" /> New run
      </button>
    </div>
  );
}

/** A failure of the core stops everything, so it is said here too. */
function CoreFailure() {
  const status = coreStatus.value;
  if (status.kind !== "failed") return null;
  return (
    <div class="card failed" role="alert">
      <h3>{status.isLost ? "The core has stopped" : "The core was not loaded"}</h3>
      {status.isLost ? (
        <>
          <p>Every step of the run is kept: start the core again, and continue.</p>
          <p class="problem">{status.message}</p>
        </>
      ) : (
        <>
          <p>The stories can be read; to run anything here, the core is needed. Is this machine online?</p>
          <details>
            <summary>What went wrong</summary>
            <p class="problem">{status.message}</p>
          </details>
        </>
      )}
      <div class="buttons">
        <button type="button" class="primary" onClick={loadCoreAgain}>
          {againWords(status)}
        </button>
      </div>
    </div>
  );
}

/** What the model had said when it was stopped. */
function Stopped() {
  const text = stoppedOutput.value;
  if (text === "" || running.value) return null;
  return (
    <div class="said by-model stopped">
      <Long text={text} />
      <p class="hint">The model was stopped here. This is not part of the run.</p>
    </div>
  );
}

/** What is under way: the core or the model loads, thinks or speaks, or somebody has to answer. */
function Now() {
  if (!running.value) return null;
  return (
    <>
      {sentQuestion.value !== "" && (
        <p class="said by-user">
          <UntrustedText text={sentQuestion.value} />
        </p>
      )}
      {coreStatus.value.kind === "loading" && <LoadingCore progress={coreStatus.value.progress} />}
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

function LoadingCore({ progress }: { progress: LoadProgress | undefined }) {
  return (
    <p class="thinking hint">
      <span class="pulse" /> The core is loading
      {progress && `, ${bytes(progress.loadedBytes)} of ${bytes(progress.totalBytes)}`}
    </p>
  );
}

// English text; other languages and JSON have fewer characters in a token.
const CHARS_A_TOKEN = 4;

function StreamingEntry() {
  const { text, reasoning, calls, chars, promptChars, promptRead } = streamedOutput.value!;
  const seconds = useSeconds();
  const thought = reasoning.trim() !== "" && <Reasoning text={reasoning.trim()} />;
  if (text !== "" || calls.length > 0) {
    return (
      <>
        {thought}
        {text !== "" && (
          <p class="said by-model speaking">
            <UntrustedText text={text} />
          </p>
        )}
        {calls.map(({ tool, params }, index) => (
          <WrittenCall key={index} tool={tool} params={params} />
        ))}
      </>
    );
  }
  const doing =
    chars === 0 && reasoning === ""
      ? `The model reads the prompt, ${promptWords(promptChars, promptRead)}`
      : `The model writes, ${counted(Math.max(chars, reasoning.length), "character")}`;
  return (
    <>
      {thought}
      <p class="thinking hint">
        <span class="pulse" /> {doing}
        {seconds > 0 && `, ${seconds} s`}
      </p>
    </>
  );
}

function promptWords(chars: number, read: PromptProgress | undefined): string {
  if (read) return `${read.readTokens} of ${counted(read.totalTokens, "token")}`;
  return `about ${counted(Math.max(1, Math.round(chars / CHARS_A_TOKEN)), "token")}`;
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
  const top = useRef(0);
  const isRead = useRef(false);
  useEffect(() => {
    const element = scroll.current!;
    const note = (): void => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < 80;
      // What has grown since it was scrolled to its end is no reader who went away: that one scrolls up.
      near.current = isNear || (near.current && element.scrollTop >= top.current);
      top.current = element.scrollTop;
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, []);
  useSignalEffect(() => {
    void [streamedOutput.value, streamedBelow.value, waiting.value, explainedSteps.value];
    if (shownSteps.value.length === 0 && !running.value) return; // the welcome is read from its beginning
    requestAnimationFrame(() => {
      const element = scroll.current;
      if (!near.current || !element) return;
      // Whoever has read a long answer while it was written is at its end.
      const written = element.querySelector<HTMLElement>(".speaking");
      if (written) isRead.current = written.offsetHeight > element.clientHeight;
      else if (waiting.value.length > 0) isRead.current = false;
      element.scrollTo({ top: isRead.current ? element.scrollHeight : newestPlace(element) });
      top.current = element.scrollTop;
    });
  });
  return scroll;
}

/** What is read, or answered, from its beginning. */
const FROM_ITS_TOP = ".answer, .card.waiting, .card.failed";
const ROOM_ABOVE = 12;

/** Gives where the newest entry is read: at its end, or its beginning where it is higher than what is shown. */
function newestPlace(scroll: HTMLElement): number {
  const parts = [...scroll.firstElementChild!.children].filter((part) => !part.matches(".after-run"));
  const isAsking = parts.at(-1)?.matches(".waiting") ?? false;
  const newest = isAsking ? parts.find((part) => part.matches(".waiting")) : parts.at(-1);
  const end = scroll.scrollHeight - scroll.clientHeight;
  if (!newest?.matches(FROM_ITS_TOP)) return end;
  const begin = newest.getBoundingClientRect().top - scroll.getBoundingClientRect().top + scroll.scrollTop;
  return Math.min(end, begin - ROOM_ABOVE);
}
