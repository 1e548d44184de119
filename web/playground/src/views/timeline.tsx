/** The steps of the branch: what came in, what the core made of it, and what it asked for next. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { decision_words, event_words } from "../data/event_words.js";
import { found_at, found_steps, known_of } from "../data/found.js";
import { branch, running, viewed } from "../data/run.js";
import type { LogLine, Step } from "../data/steps.js";
import { milliseconds } from "./amounts.js";
import { ToneIcon } from "./icons.js";
import { inspect } from "./inspector.js";
import { JsonBlock } from "./json_block.js";
import { LookingBack } from "./standing_bars.js";

export function Timeline() {
  const steps = branch.value?.steps ?? [];
  useDecisions(steps);
  if (steps.length === 0) return <Empty />;
  return (
    <>
      {steps.length > 1 && <Slider count={steps.length} />}
      <div class="narrow-only">
        <LookingBack />
      </div>
      <div class="scroll" ref={useNewest()}>
        <ol class="timeline">
          {steps.map((step, index) => (
            <StepItem key={index} step={step} index={index} since={elapsed(steps[index - 1], step)} />
          ))}
        </ol>
      </div>
    </>
  );
}

function Empty() {
  return (
    <div class="empty">
      <p>Nothing has happened yet.</p>
      <p class="hint">Each step will stand here: what came in, what the core decided, and the exact JSON of both.</p>
    </div>
  );
}

/** The slider goes through time; its right end is now. */
function Slider({ count }: { count: number }) {
  const at = viewed.value ?? count - 1;
  const go = (index: number): void => void (viewed.value = index === count - 1 ? undefined : index);
  return (
    <div class="slider">
      <label for="time">Time travel</label>
      <input
        id="time"
        type="range"
        min={1}
        max={count}
        value={at + 1}
        disabled={running.value}
        aria-valuetext={`step ${at + 1} of ${count}`}
        onInput={(event) => go(Number(event.currentTarget.value) - 1)}
      />
      <output for="time">
        {at + 1} / {count}
      </output>
    </div>
  );
}

function StepItem({ step, index, since }: { step: Step; index: number; since: string }) {
  const at = viewed.value;
  const state = at === index ? " at" : at !== undefined && index > at ? " later" : "";
  return (
    <li class={`step${state}`} aria-current={at === index ? "step" : undefined}>
      <div class="step-head">
        <h3>Step {index + 1}</h3>
        <span class="hint">{since}</span>
        <span class="grow" />
        <button type="button" class="quiet small" onClick={() => inspect(index)}>
          Look inside <span class="unseen">step {index + 1}</span>
        </button>
        <button
          type="button"
          class="quiet small"
          disabled={running.value}
          onClick={() => (viewed.value = index === branch.value!.steps.length - 1 ? undefined : index)}
        >
          Go here <span class="unseen">(step {index + 1})</span>
        </button>
      </div>
      {step.lines.map((line, row) => (
        <EventRow key={row} line={line} />
      ))}
      <DecisionRow step={step} index={index} />
    </li>
  );
}

function EventRow({ line }: { line: LogLine }) {
  const { label, text, tone } = event_words(line.event);
  return (
    <details class={`row tone-${tone}`}>
      <summary>
        <ToneIcon tone={tone} />
        <b class="tone-word">{label}</b>
        <span class="row-text">{text}</span>
      </summary>
      <JsonBlock text={line.text} label={`log line, ${label}`} />
    </details>
  );
}

function DecisionRow({ step, index }: { step: Step; index: number }) {
  void found_steps.value;
  const decision = known_of(step)?.decision;
  if (!decision) return <p class="row decides hint">The core derives the decision</p>;
  const { label, text, tone } = decision_words(decision);
  return (
    <details class={`row decides tone-${tone}`}>
      <summary>
        <span class="decides-word">decides</span>
        <b class="tone-word">{label}</b>
        <span class="row-text">{text}</span>
      </summary>
      {decision.type === "call_model" && (
        <button type="button" class="quiet small" onClick={() => inspect(index, "prompt")}>
          The exact prompt
        </button>
      )}
      <JsonBlock text={JSON.stringify(decision)} label="decision" />
    </details>
  );
}

function elapsed(before: Step | undefined, step: Step): string {
  const [then, now] = [before?.lines[0]?.event.at, step.lines[0]?.event.at];
  return then === undefined || now === undefined ? "" : `+${milliseconds(now - then)}`;
}

/** Has the core derive the decisions of steps that were not taken here, one after the other. */
function useDecisions(steps: readonly Step[]): void {
  useEffect(() => {
    let over = false;
    const derive = async (): Promise<void> => {
      for (let index = 0; index < steps.length && !over; index++) {
        if (!known_of(steps[index]!)) await found_at(steps, index);
      }
    };
    derive().catch(() => undefined); // a log that cannot be folded is told of where it was opened
    return () => void (over = true);
  }, [steps]);
}

/** Keeps the newest step in sight while the run goes on. */
function useNewest() {
  const scroll = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    void branch.value?.steps.length;
    if (viewed.value === undefined)
      requestAnimationFrame(() => scroll.current?.scrollTo({ top: scroll.current.scrollHeight }));
  });
  return scroll;
}
