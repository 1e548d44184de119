/** Where two runs part, side by side. */
import type { DiffFound, RedriveFound } from "../data/comparing.js";
import { comparison, stepOfLine } from "../data/comparing.js";
import { eventWords } from "../data/event_words.js";
import type { Tone, Words } from "../data/event_words.js";
import type { Outline } from "../data/outline_words.js";
import { NOTHING_YET, outlineWords } from "../data/outline_words.js";
import { running, viewed } from "../data/run.js";
import type { Step } from "../data/steps.js";
import type { ChangedMove, Event, Move } from "../../../src/generated/wire.js";
import { counted } from "./amounts.js";
import { differingParts } from "./differing_parts.js";
import { Icon, ToneIcon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";
import { trailTab } from "./trail_tab.js";

export function RedriveCard({ made: { found, steps, changes, wasFork } }: { made: RedriveFound }) {
  if (found.same)
    return (
      <Card tone="accepted" title="The same" label="What the redrive found">
        <p>All {counted(found.steps, "decision")} are the same under the definition in the editor.</p>
      </Card>
    );
  const line = found.line ?? 1;
  const now = found.message
    ? [{ label: "Not taken", text: found.message, tone: "failed" } as const]
    : wordsOfAll(found.redriven ?? [], outlineWords);
  return (
    <Card tone="rejected" title={`Differs at line ${line}`} label="What the redrive found">
      <p>
        {wasFork && "Nothing was forked. "}
        {counted(found.steps, "decision")} {found.steps === 1 ? "is" : "are"} the same. This one is not:
      </p>
      <Fact steps={steps} line={line} />
      <Sides
        one={{ title: "Recorded", rows: wordsOfAll(found.recorded ?? [], outlineWords) }}
        other={{ title: "Now", rows: now }}
      />
      <GoToStep steps={steps} line={line} />
      {changes.length > 1 && <Changes changes={changes} />}
    </Card>
  );
}

const MAX_CHANGES = 50;

/** Every decision that would be another one, each from what was recorded up to there. */
function Changes({ changes }: { changes: readonly ChangedMove[] }) {
  return (
    <details class="changes">
      <summary>All {counted(changes.length, "decision")} that would differ</summary>
      <ol aria-label="Decisions that would differ">
        {changes.slice(0, MAX_CHANGES).map(({ line, was, becomes }, index) => (
          <li key={index}>
            <UntrustedText text={subjectOf(was, becomes)} /> {was.does} → <b>{becomes.does}</b>{" "}
            <UntrustedText text={(becomes.why || "").slice(0, MAX_FACT_CHARS)} /> <span class="hint">line {line}</span>
          </li>
        ))}
      </ol>
      {changes.length > MAX_CHANGES && <p class="hint">and {changes.length - MAX_CHANGES} more</p>}
    </details>
  );
}

/** The tool, after the names of the agents down to its own. */
const subjectOf = (was: Move, becomes: Move): string =>
  [...(becomes.path ?? was.path ?? []), becomes.tool || was.tool].filter(Boolean).join(" > ");

export function DiffCard({ made: { found, name, steps } }: { made: DiffFound }) {
  if (found.same)
    return (
      <Card tone="accepted" title="The same" label="Where the runs part">
        <p>
          {counted(found.events, "line")} say the same in both runs, this one and <UntrustedText text={name} />.
        </p>
      </Card>
    );
  const [here, there] = found.lines ?? [null, null];
  return (
    <Card
      tone="rejected"
      title={found.events === 0 ? "They part at once" : `They part after ${counted(found.events, "line")}`}
      label="Where the runs part"
    >
      <Sides
        one={{ title: "This run", place: placeWords(here), rows: eventRows(found.one) }}
        other={{ title: name, place: placeWords(there), rows: eventRows(found.other) }}
      />
      {here !== null && <GoToStep steps={steps} line={here} />}
    </Card>
  );
}

const placeWords = (line: number | null): string => (line === null ? "ends here" : `line ${line}`);

const eventRows = (events: readonly Outline[] = []): Words[] =>
  events.map((event) => eventWords(event as unknown as Event));

function wordsOfAll(outlines: readonly Outline[], words: (outline: Outline) => Words): readonly Words[] {
  return outlines.length > 0 ? outlines.map(words) : [NOTHING_YET];
}

interface CardProps {
  tone: Tone;
  title: string;
  label: string;
  children: preact.ComponentChildren;
}

function Card({ tone, title, label, children }: CardProps) {
  return (
    <section class={`check compared tone-${tone}`} aria-label={label}>
      <p class="check-head">
        <ToneIcon tone={tone} />
        <b class="tone-word">{title}</b>
        <span class="grow" />
        <button
          type="button"
          class="quiet small icon-only"
          aria-label="Dismiss"
          onClick={() => (comparison.value = undefined)}
        >
          <Icon name="close" />
        </button>
      </p>
      {children}
    </section>
  );
}

/** The recorded fact after which the decisions differ. */
function Fact({ steps, line }: { steps: readonly Step[]; line: number }) {
  const event = steps.flatMap((step) => step.lines)[line - 1]?.event;
  if (!event) return null;
  const { label, text } = eventWords(event);
  return (
    <p class="compared-fact">
      <b>{label}</b> <UntrustedText text={text.slice(0, MAX_FACT_CHARS)} />
    </p>
  );
}

const MAX_FACT_CHARS = 300;

interface Side {
  readonly title: string;
  readonly place?: string;
  readonly rows: readonly Words[];
}

function Sides({ one, other }: { one: Side; other: Side }) {
  return (
    <div class="sides">
      <SideList side={one} beside={other} isLeft />
      <SideList side={other} beside={one} isLeft={false} />
    </div>
  );
}

function SideList({ side, beside, isLeft }: { side: Side; beside: Side; isLeft: boolean }) {
  return (
    <section class="side" aria-label={side.title}>
      <h4>
        <UntrustedText text={side.title} /> {side.place && <span class="hint">{side.place}</span>}
      </h4>
      {side.rows.length === 0 && <p class="hint">no further line</p>}
      <ol>
        {side.rows.map((row, index) => (
          <li key={index} class={`tone-${row.tone}`}>
            <b class="tone-word">{row.label}</b> <Marked row={row} beside={beside.rows[index]} isLeft={isLeft} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The text of a row, with what is another text beside it marked. */
function Marked({ row, beside, isLeft }: { row: Words; beside: Words | undefined; isLeft: boolean }) {
  if (!beside || beside.label !== row.label || beside.text === row.text)
    return <UntrustedText text={row.text.slice(0, MAX_ROW_CHARS)} />;
  const parts = isLeft ? differingParts(row.text, beside.text) : differingParts(beside.text, row.text);
  const middle = isLeft ? parts.left : parts.right;
  return (
    <>
      <UntrustedText text={parts.before} />
      <mark>
        <UntrustedText text={middle.slice(0, MAX_ROW_CHARS)} />
      </mark>
      <UntrustedText text={parts.after} />
    </>
  );
}

const MAX_ROW_CHARS = 600;

function GoToStep({ steps, line }: { steps: readonly Step[]; line: number }) {
  const index = stepOfLine(steps, line);
  if (index < 0) return null;
  const go = (): void => {
    trailTab.value = "timeline";
    viewed.value = index === steps.length - 1 ? undefined : index;
  };
  return (
    <div class="buttons">
      <button type="button" class="small" disabled={running.value} onClick={go}>
        Go to step {index + 1}
      </button>
    </div>
  );
}
