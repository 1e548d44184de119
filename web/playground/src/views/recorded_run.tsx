/** A recorded run, frame after frame at a reader's pace; whole at once for who skips it or wants no motion. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { actName } from "../data/act_words.js";
import { callText } from "../data/call_text.js";
import { recordedRun } from "../data/recorded_run.js";
import type { Frame } from "../data/recorded_run.js";
import { sanitize } from "../../../src/sanitize.js";
import type { Act } from "../../../src/generated/wire.js";
import type { Preset } from "../presets.js";
import { Icon, ToneIcon } from "./icons.js";
import { Phrase } from "./markdown.js";

/** When the last frame begins: long enough to read the others, short enough to wait for. */
const LAST_MS = 5400;

const wantsNoMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** The stories that have been played to their end, or skipped; they stand still from then on. */
const seen = signal<readonly string[]>([]);

export const see = (id: string): void => void (seen.value = [...seen.value, id]);

export function RecordedRun({ preset }: { preset: Preset }) {
  const { frames, marked } = recordedRun(preset);
  const isStill = wantsNoMotion.matches || seen.value.includes(preset.id);
  return (
    <section class={isStill ? "recorded" : "recorded playing"} aria-label="A recorded run">
      <p class="recorded-head">
        <span class="hint">Recorded from a real run</span>
        <span class="grow" />
        {!wantsNoMotion.matches && <Playing id={preset.id} isStill={isStill} />}
      </p>
      <ol class="frames" key={`${preset.id} ${isStill}`}>
        {frames.map((frame, index) => (
          <li
            key={index}
            class={`frame ${frame.kind}`}
            style={{ animationDelay: `${Math.round((index / Math.max(1, frames.length - 1)) * LAST_MS)}ms` }}
            onAnimationEnd={() => index === frames.length - 1 && see(preset.id)}
          >
            <Told frame={frame} marked={marked} source={sourceName(preset)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Playing({ id, isStill }: { id: string; isStill: boolean }) {
  const again = (): void => void (seen.value = seen.value.filter((other) => other !== id));
  return (
    <button type="button" class="quiet small" onClick={() => (isStill ? again() : see(id))}>
      {isStill ? "Play again" : "Skip"}
    </button>
  );
}

/** What the results of the story's tools are called, at the beginning of a line. */
function sourceName({ story }: Preset): string {
  const name = Object.values(story?.sources ?? {})[0] ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function Told({ frame, marked, source }: { frame: Frame; marked: readonly string[]; source: string }) {
  switch (frame.kind) {
    case "asked":
      return (
        <Line who="You">
          <Marked text={frame.text} marked={[]} />
        </Line>
      );
    case "read":
      return (
        <>
          <Line who="The agent">
            <code>{sanitize(frame.call)}</code>
          </Line>
          <div class={frame.isOutside ? "result outside" : "result"}>
            {frame.isOutside && (
              <span class="origin labelled">
                <Icon name="outside" />
                {source || "from outside"}
              </span>
            )}
            <p>
              <Marked text={frame.text} marked={marked} />
            </p>
          </div>
        </>
      );
    case "wants":
      return (
        <Line who="The agent wants">
          <code>
            <Marked text={frame.call} marked={marked} />
          </code>
        </Line>
      );
    case "stopped":
      return (
        <div class="stop">
          <ToneIcon tone="rejected" />
          <p>
            <b>Stopped.</b>{" "}
            {frame.because.map(({ what, says }) => (
              <span key={what}>
                {what !== "" ? <mark>{sanitize(what)}</mark> : null} {what === "" ? asSentence(says) : `${says}.`}
              </span>
            ))}
          </p>
        </div>
      );
    case "refused":
      return <Line who="You">No.</Line>;
    case "crashed":
      return <p class="crash">Here the machine was switched off. It starts again, from the log.</p>;
    case "corrected":
      return (
        <>
          {frame.said !== "" && (
            <Line who="The agent">
              <s>{sanitize(frame.said)}</s>
            </Line>
          )}
          <div class="stop">
            <ToneIcon tone="rejected" />
            <p>
              <b>Sent back.</b> {sanitize(frame.told)}
            </p>
          </div>
        </>
      );
    case "answered":
      return (
        <>
          <Line who="The agent">
            <Cited text={frame.text} />
          </Line>
          <DoneActs acts={frame.acts} />
        </>
      );
  }
}

function Line({ who, children }: { who: string; children: ComponentChildren }) {
  return (
    <p class="line">
      <b class="who">{who}</b> <span>{children}</span>
    </p>
  );
}

/** What was done at the end, whatever the answer says. */
function DoneActs({ acts }: { acts: readonly Act[] }) {
  if (acts.length === 0) return null;
  const done = acts.filter(({ status }) => status === "succeeded" || status === "unknown");
  return (
    <p class="acts-told">
      <ToneIcon tone={done.some(({ status }) => status === "unknown") ? "waiting" : "accepted"} />
      <span>
        {done.length === 0 ? (
          <b>Nothing was done.</b>
        ) : (
          done.map((act, at) => (
            <span key={at}>
              <b>{act.status === "unknown" ? "May have been done:" : "Done once:"}</b>{" "}
              <code>{sanitize(callText(actName(act), act.params))}</code>
            </span>
          ))
        )}
      </span>
    </p>
  );
}

/** An answer, with its citations as the marks that they are in a conversation. */
function Cited({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/\[(\d+)\]/)
        .map((part, index) => (index % 2 === 1 ? <span class="cite">{part}</span> : <Phrase text={part} />))}
    </>
  );
}

function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A text in which the values that came from outside stand out. */
function Marked({ text, marked }: { text: string; marked: readonly string[] }) {
  const value = marked[0];
  if (value === undefined) return <bdi>{sanitize(text)}</bdi>;
  return (
    <bdi>
      {text.split(value).map((part, index) => (
        <>
          {index > 0 && <mark>{sanitize(value)}</mark>}
          {sanitize(part)}
        </>
      ))}
    </bdi>
  );
}
