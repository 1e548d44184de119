/** Two models, or two definitions, side by side: one question for both, and where they first differ. */
import { signal } from "@preact/signals";
import { download } from "../data/logs.js";
import { notify, wordsOf } from "../data/notices.js";
import { editedDefinition } from "../data/preferences.js";
import { testing } from "../data/probe.js";
import { branch, running } from "../data/run.js";
import { askBoth, isAsking, pair, stopBoth } from "../data/side_by_side.js";
import type { Pair, Side, SideChoice } from "../data/side_by_side.js";
import type { Row, Taken } from "../data/side_rows.js";
import { firstDifference, rowsOf, takenBy } from "../data/side_rows.js";
import { logText, titleOf } from "../data/steps.js";
import { chosenSource } from "../models/choice.js";
import { httpSettings } from "../models/http_source.js";
import { actWords } from "../data/act_words.js";
import { modelWords } from "../data/who_answered.js";
import { actsOf } from "../../../src/agent/acts.js";
import { firstCharacters } from "../../../src/characters.js";
import { counted, milliseconds } from "./amounts.js";
import { Icon, ToneIcon } from "./icons.js";
import { openShown } from "./log_pane.js";
import { Long } from "./long.js";
import { Markdown } from "./markdown.js";
import { PageDialog } from "./page_dialog.js";
import { UntrustedText } from "./untrusted_text.js";
import { WaitingCard } from "./waiting_card.js";

const open = signal(false);
const question = signal("");
/** Folded once both were asked: what they do is looked at then. */
const showsFields = signal(true);

const NAMES = ["Left", "Right"] as const;

/** What the fields of a side hold; they stay while the page is open, so that a question can be asked again. */
interface Fields {
  readonly hasServer: boolean;
  readonly base_url: string;
  readonly model: string;
  readonly key: string;
  readonly hasDefinition: boolean;
  readonly definition: string;
}

const EMPTY: Fields = { hasServer: false, base_url: "", model: "", key: "", hasDefinition: false, definition: "" };
const fields = [signal<Fields>(EMPTY), signal<Fields>({ ...EMPTY, hasServer: true })] as const;

/** Opens the dialog, with the question of the run on show where none was typed. */
export function showSideBySide(): void {
  if (question.value === "" && branch.value) question.value = titleOf(branch.value.steps);
  for (const side of fields) {
    const { base_url } = httpSettings.value;
    side.value = { ...side.value, base_url: side.value.base_url || base_url };
  }
  open.value = true;
}

export function SideBySideDialog() {
  const close = (): void => {
    open.value = false;
    stopBoth();
  };
  return (
    <PageDialog isOpen={open.value} onClose={close} title="Side by side" look="beside">
      <Inside />
    </PageDialog>
  );
}

function Inside() {
  const asked = pair.value;
  return (
    <>
      <Question isBusy={asked !== undefined && isAsking(asked)} />
      {asked && <Found asked={asked} />}
    </>
  );
}

/** Says why nothing can be asked now; empty when it can. */
function disabledReason(): string {
  if (testing.value) return "The model is being tested. Stop the test, or wait for its end.";
  if (running.value) return "A run is in progress. Stop it, or wait for its end.";
  return question.value.trim() === "" ? "Write a question." : "";
}

function Question({ isBusy }: { isBusy: boolean }) {
  const reason = disabledReason();
  const send = (event: Event): void => {
    event.preventDefault();
    if (reason !== "" || isBusy) return;
    showsFields.value = false;
    void askBoth(question.value.trim(), [choiceOf(fields[0].value), choiceOf(fields[1].value)]);
  };
  return (
    <form class="beside-form" onSubmit={send}>
      <label for="beside-question">One question for both</label>
      <textarea
        id="beside-question"
        rows={2}
        value={question.value}
        onInput={(event) => (question.value = event.currentTarget.value)}
      />
      <details open={showsFields.value} onToggle={(event) => (showsFields.value = event.currentTarget.open)}>
        <summary>Who is asked</summary>
        <div class="beside-columns">
          {NAMES.map((name, index) => (
            <SideFields key={name} name={name} side={fields[index]!} />
          ))}
        </div>
      </details>
      <p class="hint">
        Tools that only read run in each. A call that may change something is asked about in each, since both would make
        it. Neither run is stored.
      </p>
      <div class="buttons">
        <button class="primary" aria-disabled={isBusy || reason !== ""} aria-describedby="beside-reason">
          Ask both
        </button>
        {isBusy && (
          <button type="button" onClick={stopBoth}>
            <Icon name="stop" /> Stop both
          </button>
        )}
        <span id="beside-reason" class="hint">
          {isBusy ? "" : reason}
        </span>
      </div>
    </form>
  );
}

function choiceOf({ hasServer, base_url, model, key, hasDefinition, definition }: Fields): SideChoice {
  return {
    definition: hasDefinition ? definition : editedDefinition.value,
    ...(hasServer && { server: { base_url, model, key } }),
  };
}

function SideFields({ name, side }: { name: string; side: { value: Fields } }) {
  const { hasServer, base_url, model, key, hasDefinition, definition } = side.value;
  const id = `beside-${name.toLowerCase()}`;
  const change = (changed: Partial<Fields>): void => void (side.value = { ...side.value, ...changed });
  return (
    <fieldset class="fields">
      <legend>{name}</legend>
      <label for={`${id}-model`}>Model</label>
      <select
        id={`${id}-model`}
        value={hasServer ? "server" : "chosen"}
        onChange={(event) => change({ hasServer: event.currentTarget.value === "server" })}
      >
        <option value="chosen">{chosenSource().title}, as in the settings</option>
        <option value="server">OpenAI-compatible server</option>
      </select>
      {hasServer && (
        <>
          <label for={`${id}-url`}>Base URL</label>
          <input
            id={`${id}-url`}
            type="url"
            value={base_url}
            onInput={(event) => change({ base_url: event.currentTarget.value, key: "" })}
          />
          <label for={`${id}-name`}>Model's name</label>
          <input
            id={`${id}-name`}
            autocomplete="off"
            value={model}
            onInput={(event) => change({ model: event.currentTarget.value })}
          />
          <label for={`${id}-key`}>
            Key <span class="hint">if the server wants one; it stays in memory</span>
          </label>
          <input
            id={`${id}-key`}
            type="password"
            autocomplete="off"
            value={key}
            onInput={(event) => change({ key: event.currentTarget.value })}
          />
        </>
      )}
      <label for={`${id}-definition`}>Definition</label>
      <select
        id={`${id}-definition`}
        value={hasDefinition ? "own" : "settings"}
        onChange={(event) => {
          const own = event.currentTarget.value === "own";
          change({ hasDefinition: own, definition: definition || editedDefinition.value });
        }}
      >
        <option value="settings">As in the settings</option>
        <option value="own">Another one</option>
      </select>
      {hasDefinition && (
        <textarea
          class="mono"
          rows={8}
          spellcheck={false}
          aria-label={`Definition, ${name.toLowerCase()}`}
          value={definition}
          onInput={(event) => change({ definition: event.currentTarget.value })}
        />
      )}
    </fieldset>
  );
}

function Found({ asked }: { asked: Pair }) {
  const rows = asked.sides.map((side) => rowsOf(side.steps.value));
  const differ = firstDifference(rows[0]!, rows[1]!, !isAsking(asked));
  return (
    <section class="beside-found" aria-label="What both did">
      <p class="beside-question">
        <UntrustedText text={asked.question} />
      </p>
      <p role="status" class="beside-verdict">
        <UntrustedText text={verdictWords(rows, differ, isAsking(asked))} />
      </p>
      <div class="beside-columns">
        {asked.sides.map((side, index) => (
          <Column key={index} name={NAMES[index]!} side={side} rows={rows[index]!} differ={differ} />
        ))}
      </div>
    </section>
  );
}

function verdictWords(rows: readonly (readonly Row[])[], differ: number | undefined, goesOn: boolean): string {
  if (differ !== undefined) {
    const said = rows.map((each) => (each[differ] ? rowWords(each[differ]) : "nothing more"));
    return `They differ ${differ === 0 ? "at once" : `after ${counted(differ, "act")}`}. Left: ${said[0]}; right: ${said[1]}`;
  }
  if (goesOn) return "Both do the same so far.";
  return rows[0]!.length === 0 ? "" : "Both did the same.";
}

function rowWords({ label, text }: Row): string {
  const line = text.split("\n")[0]!;
  return `${label.toLowerCase()} ${line.length > MOST_CHARS ? `${firstCharacters(line, MOST_CHARS)}\u2026` : line}`;
}

/** Of a row, where both first differ are told in one sentence: the columns have all of it. */
const MOST_CHARS = 80;

interface ColumnProps {
  name: string;
  side: Side;
  rows: readonly Row[];
  differ: number | undefined;
}

function Column({ name, side, rows, differ }: ColumnProps) {
  const { title, state, steps, said, cards } = side;
  const titleId = `beside-found-${name.toLowerCase()}`;
  return (
    <section class="beside-side thread" aria-labelledby={titleId}>
      <h3 id={titleId}>
        {name}: <UntrustedText text={title} />
      </h3>
      <p class="hint" role="status">
        {stateWords(side)}
      </p>
      <ol class="beside-rows">
        {rows.map((row, index) => (
          <RowItem key={index} row={row} isDifference={index === differ} />
        ))}
      </ol>
      {said.value !== "" && (
        <p class="said by-model speaking">
          <UntrustedText text={said.value} />
        </p>
      )}
      {cards.value.map((card) => (
        <WaitingCard key={card.id} card={card} />
      ))}
      {state.value.kind === "failed" && (
        <p class="problem" role="alert">
          <UntrustedText text={state.value.message} />
        </p>
      )}
      {steps.value.length > 0 && <Took taken={takenBy(steps.value, side.definition.value)} />}
      <After side={side} />
    </section>
  );
}

function stateWords({ state, cards }: Side): string {
  if (cards.value.length > 0) return "Waits for you.";
  switch (state.value.kind) {
    case "queued":
      return "Waits for the other one: they share a model.";
    case "loading":
      return "The model is being loaded.";
    case "running":
      return "Asked; at work.";
    case "ended":
      return "Ended.";
    case "stopped":
      return "Stopped.";
    case "failed":
      return "Could not be asked.";
  }
}

function RowItem({ row, isDifference }: { row: Row; isDifference: boolean }) {
  const { event, label, text, tone } = row;
  const call = "call_id" in event ? event.call_id : undefined;
  return (
    <li class={`tone-${tone}${isDifference ? " differs" : ""}`} data-call={call} tabIndex={-1}>
      {isDifference && <span class="badge tone-corrected">first difference</span>}
      <b class="tone-word">
        <ToneIcon tone={tone} /> {label}
      </b>{" "}
      {event.kind === "final_answer" ? (
        <>
          <bdi class="markdown">
            <Markdown text={event.content} marks={[]} />
          </bdi>
          <ActList event={event} />
        </>
      ) : (
        <Long text={text} />
      )}
    </li>
  );
}

function ActList({ event }: { event: Extract<Row["event"], { kind: "final_answer" }> }) {
  const { acts } = actsOf(event);
  if (acts === undefined) return null;
  if (acts.length === 0) return <p class="hint">Changed nothing</p>;
  return (
    <ul class="beside-acts hint" aria-label="What may have been changed">
      {acts.map((act) => (
        <li key={act.call_id}>
          <UntrustedText text={`${act.tool} ${actWords(act)}`} /> ({act.status})
        </li>
      ))}
    </ul>
  );
}

function Took({ taken: { models, ms, promptTokens, answerTokens, cost, unit } }: { taken: Taken }) {
  const tokens =
    promptTokens === undefined && answerTokens === undefined
      ? "not told"
      : `${promptTokens ?? 0} read, ${answerTokens ?? 0} written`;
  const rows: readonly (readonly [string, string])[] = [
    ["Answered by", models.length > 0 ? models.map(modelWords).join("; ") : "nobody yet"],
    ["Time", ms === undefined ? "not told" : milliseconds(ms)],
    ["Tokens", tokens],
    ["Cost", cost === undefined ? "no price is known" : `${(cost / 1e6).toFixed(6)} ${unit ?? ""}`],
  ];
  return (
    <dl class="beside-took">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <UntrustedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function After({ side }: { side: Side }) {
  const { steps, state, title } = side;
  const isOver = ["ended", "stopped", "failed"].includes(state.value.kind);
  if (!isOver || steps.value.length === 0) return null;
  const log = (): string => logText(steps.value);
  const name = `${title.replaceAll(/[^\w.-]+/g, "-")}.jsonl`;
  const show = (): void => {
    open.value = false;
    openShown(name, log()).catch((error: unknown) => notify(wordsOf(error), "failed"));
  };
  return (
    <div class="buttons">
      <button type="button" class="small" onClick={show}>
        <Icon name="open" /> Open this run
      </button>
      <button type="button" class="small" onClick={() => download(name, log())}>
        <Icon name="download" /> Save as a file
      </button>
    </div>
  );
}
