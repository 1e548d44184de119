/** The steps of the branch: its observation, the events derived from it, and the next decision. */
import { computed, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { agentNames, decisionWords, eventWords } from "../data/event_words.js";
import { derivedAt, derivedSteps, knownOf } from "../data/derived_steps.js";
import { branch, running, viewed } from "../data/run.js";
import type { LogLine, Step } from "../data/steps.js";
import type { OpenDecision } from "../../../src/agent/ports.js";
import { counted, milliseconds } from "./amounts.js";
import { ToneIcon } from "./icons.js";
import { inspect } from "./inspector.js";
import { JsonBlock } from "./json_block.js";
import { ResultLabels } from "./origin_tag.js";
import { UntrustedText } from "./untrusted_text.js";
import { EarlierStepBar } from "./run_bars.js";
import { useWindow } from "./window.js";

export function Timeline() {
  const steps = branch.value?.steps ?? [];
  const { from, to, earlier } = useWindow(steps.length, "step", viewed.value);
  const scroll = useNewest();
  if (steps.length === 0) return <Empty />;
  return (
    <>
      {steps.length > 1 && <Slider count={steps.length} />}
      <div class="narrow-only">
        <EarlierStepBar />
      </div>
      <div class="scroll" ref={scroll}>
        {earlier}
        <ol class="timeline">
          {steps.slice(from, to).map((step, row) => (
            <StepItem key={from + row} steps={steps} index={from + row} since={elapsed(steps[from + row - 1], step)} />
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
      <p class="hint">Each step appears here: the observation, the decision, and the exact JSON of both.</p>
    </div>
  );
}

/** The names of the agents that the run on show calls. */
const names = computed(() =>
  agentNames((branch.value?.steps ?? []).flatMap(({ lines }) => lines.map(({ event }) => event))),
);

/** A slider over the steps; its right end is the newest one. */
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

function StepItem({ steps, index, since }: { steps: readonly Step[]; index: number; since: string }) {
  const step = steps[index]!;
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
      <DecisionRow steps={steps} index={index} />
    </li>
  );
}

/** A row has its whole text, unless that is longer than anybody reads in a list; then it ends in how much is inside. */
const ROW_CHARS = 2_000;

function RowText({ text }: { text: string }) {
  const left = text.length - ROW_CHARS;
  return (
    <span class="row-text">
      <UntrustedText text={left > 0 ? text.slice(0, ROW_CHARS) : text} />
      {left > 0 && ` \u2026 and ${counted(left, "more character")} inside`}
    </span>
  );
}

function EventRow({ line }: { line: LogLine }) {
  const { label, text, tone } = eventWords(line.event, names.value);
  return (
    <Row
      kind={`tone-${tone}`}
      summary={
        <>
          <ToneIcon tone={tone} />
          <b class="tone-word">{label}</b>
          {line.event.kind === "tool_result" && <ResultLabels call_id={line.event.call_id ?? ""} />}
          <RowText text={text} />
        </>
      }
      inside={() => <JsonBlock text={line.text} label={`log line, ${label}`} />}
    />
  );
}

function DecisionRow({ steps, index }: { steps: readonly Step[]; index: number }) {
  void derivedSteps.value;
  const known = knownOf(steps[index]!);
  if (!known) return <Underived steps={steps} index={index} />;
  return [known, ...known.also].map((open, row) => <OpenRow key={row} open={open} index={index} isFirst={row === 0} />);
}

/** One of the decisions that are open at once, where agents work side by side. */
function OpenRow({ open, index, isFirst }: { open: OpenDecision; index: number; isFirst: boolean }) {
  const { decision, decision_json } = open;
  const { label, text, tone } = decisionWords(decision);
  return (
    <Row
      kind={`decides tone-${tone}`}
      summary={
        <>
          <span class="decides-word">decides</span>
          <b class="tone-word">{label}</b>
          <RowText text={text} />
        </>
      }
      inside={() => (
        <>
          {isFirst && decision.type === "call_model" && (
            <button type="button" class="quiet small" onClick={() => inspect(index, "prompt")}>
              The exact prompt
            </button>
          )}
          <JsonBlock text={decision_json} label="decision" />
        </>
      )}
    />
  );
}

interface RowProps {
  kind: string;
  summary: ComponentChildren;
  inside: () => ComponentChildren;
}

/** A row that opens to its JSON, which is laid out only then: a long run has thousands of rows. */
function Row({ kind, summary, inside }: RowProps) {
  const open = useSignal(false);
  return (
    <details class={`row ${kind}`} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open.value && inside()}
    </details>
  );
}

/**
 * A step of a foreign log: the core derives it once it is visible.
 *
 * Each derivation replays the log up to the step, so deriving all steps of a long log would take minutes.
 */
function Underived({ steps, index }: { steps: readonly Step[]; index: number }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      derivedAt(steps, index).catch(() => undefined); // an invalid log was reported when it was opened
    });
    seen.observe(place.current!);
    return () => seen.disconnect();
  }, [steps, index]);
  return (
    <p class="row decides hint" ref={place}>
      The core is deriving the decision
    </p>
  );
}

function elapsed(before: Step | undefined, step: Step): string {
  const [then, now] = [before?.lines[0]?.event.at, step.lines[0]?.event.at];
  if (then === undefined || now === undefined || now < then) return ""; // a clock may have been set back
  return `+${milliseconds(now - then)}`;
}

/** Keeps the newest step in sight during a run. */
function useNewest() {
  const scroll = useRef<HTMLDivElement>(null);
  useSignalEffect(() => {
    void branch.value?.steps.length;
    if (viewed.value === undefined)
      requestAnimationFrame(() => scroll.current?.scrollTo({ top: scroll.current.scrollHeight }));
  });
  return scroll;
}
