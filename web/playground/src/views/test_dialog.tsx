/** The test of a model: what it does, its progress, its table, and the way to ask that it found. */
import { signal } from "@preact/signals";
import type { ProbeProfile, ProbeRow, ProbeStanding } from "../../../src/agent/probe.js";
import { download } from "../data/logs.js";
import { running } from "../data/run.js";
import type { ModelTest } from "../data/probe.js";
import { findTestSizes, modelTest, startTest, stopTest, testing, testSizes } from "../data/probe.js";
import { chosen, chosenSource, modelStatus } from "../models/choice.js";
import { profiles, useProfile } from "../models/profiles.js";
import { counted } from "./amounts.js";
import { Icon } from "./icons.js";
import { PageDialog } from "./page_dialog.js";
import { UntrustedText } from "./untrusted_text.js";
import { constraintWords, wayWords } from "./way_words.js";

const open = signal(false);
const quick = signal(true);

export function showTest(): void {
  open.value = true;
  void findTestSizes();
}

export function TestDialog() {
  return (
    <PageDialog
      isOpen={open.value}
      onClose={() => (open.value = false)}
      title={`Test ${chosenSource().title}`}
      look="probe"
    >
      <Inside />
    </PageDialog>
  );
}

function Inside() {
  const test = modelTest.value?.source === chosen.value ? modelTest.value : undefined;
  return (
    <>
      <p class="hint">
        The model is given small tasks in several ways: how calls are written, what holds its output, and how much is
        decided for it. The way that finishes most tasks with the least help is the best. The tools of the tasks answer
        from a fixed table; nothing is fetched or stored.
      </p>
      {testing.value && <Course test={modelTest.value!} />}
      {test?.standing && test.standing.rows.length > 0 && <Found test={test} standing={test.standing} />}
      {!testing.value && <Start isAgain={test?.standing !== undefined} />}
    </>
  );
}

function Start({ isAgain }: { isAgain: boolean }) {
  const sizes = testSizes.value;
  return (
    <form class="probe-start" onSubmit={(event) => (event.preventDefault(), void startTest(quick.value))}>
      <fieldset class="carry">
        <legend>How thoroughly</legend>
        <SizeChoice isQuick title="Quick" size={sizes?.quick} words="the likeliest ways; minutes on a CPU" />
        <SizeChoice isQuick={false} title="Whole" size={sizes?.whole} words="all ways; may take an hour on a CPU" />
      </fieldset>
      <button class={isAgain ? "wide" : "primary wide"} disabled={running.value}>
        {isAgain ? "Test again" : "Start the test"}
      </button>
      {running.value && <p class="hint">A run is in progress. The test can begin once it has ended.</p>}
      {modelStatus.value.kind === "failed" && <p class="problem">{modelStatus.value.message}</p>}
    </form>
  );
}

function SizeChoice(props: { isQuick: boolean; title: string; size: ProbeStanding | undefined; words: string }) {
  const { isQuick, title, size, words } = props;
  const amount = size && `${counted(size.tasks, "task")} in each of ${counted(size.runs / size.tasks, "way")}: `;
  return (
    <label>
      <input
        type="radio"
        name="probe-size"
        checked={quick.value === isQuick}
        onChange={() => (quick.value = isQuick)}
      />
      <span>
        <b>{title}</b>{" "}
        <span class="hint">
          {amount}
          {words}
        </span>
      </span>
    </label>
  );
}

function Course({ test: { kind, standing } }: { test: ModelTest }) {
  const status = modelStatus.value;
  const share = kind === "loading" && status.kind === "loading" ? status.share : 0;
  const next = standing?.next;
  return (
    <div class="load">
      <progress
        max={standing?.runs ?? 1}
        value={standing?.ended ?? share}
        aria-label={standing ? "Testing the model" : "Loading the model"}
      />
      <p class="probe-course">
        <span>
          {standing ? (
            <b>
              {standing.ended} of {counted(standing.runs, "run")}
            </b>
          ) : (
            <b>{status.kind === "loading" ? status.doing : "Loading the model"}</b>
          )}
          {next && (
            <span class="hint">
              {wayWords(next.way)}: “{next.query}”
            </span>
          )}
        </span>
        <button type="button" onClick={stopTest}>
          <Icon name="stop" /> Stop
        </button>
      </p>
    </div>
  );
}

function Found({ test, standing }: { test: ModelTest; standing: ProbeStanding }) {
  const { rows, profile, tasks } = standing;
  const best = standing.best === null ? undefined : rows[standing.best];
  return (
    <>
      {test.kind !== "running" && <Result test={test} profile={profile} best={best} />}
      <table class="probe-table">
        <caption class="unseen">The outcome of each way</caption>
        <thead>
          <tr>
            <th scope="col">Way</th>
            <th scope="col">Help</th>
            <th scope="col">Right</th>
            <th scope="col">Tokens</th>
            <th scope="col">Seconds</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.dialect} ${row.constraint} ${row.carry}`} row={row} tasks={tasks} isBest={row === best} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Row({ row, tasks, isBest }: { row: ProbeRow; tasks: number; isBest: boolean }) {
  const wrong = Object.entries(row.wrong);
  return (
    <tr class={isBest ? "best" : ""}>
      <th scope="row">
        <span class="mono">{row.dialect}</span> {isBest && <span class="badge tone-accepted">best</span>}
        <span class="hint">{constraintWords(row.constraint)}</span>
        {row.refusal !== "" && (
          <span class="problem">
            <UntrustedText text={row.refusal} />
          </span>
        )}
        {row.refusal === "" && wrong.length > 0 && (
          <details>
            <summary>{counted(wrong.length, "task")} not right</summary>
            {wrong.map(([task, words]) => (
              <span class="hint" key={task}>
                {task}: <UntrustedText text={words} />
              </span>
            ))}
          </details>
        )}
      </th>
      <td>{row.carry}</td>
      <td>
        {row.right} of {tasks}
      </td>
      <td>{(row.prompt_tokens + row.completion_tokens).toLocaleString("en")}</td>
      <td>{row.seconds.toFixed(1)}</td>
    </tr>
  );
}

interface ResultProps {
  test: ModelTest;
  profile: ProbeProfile | null;
  best: ProbeRow | undefined;
}

function Result({ test, profile, best }: ResultProps) {
  const ended = test.kind === "stopped" ? "Stopped. " : test.kind === "failed" ? "Ended early. " : "";
  if (!profile || !best) {
    return <p class="note tone-corrected">{ended}No way finished a task, so there is nothing to recommend.</p>;
  }
  const taken = profiles.value[test.source] === profile;
  return (
    <div class="note tone-accepted probe-result">
      <p>
        {ended}
        <b>
          {best.right} of {counted(best.tasks, "task")} right
        </b>{" "}
        with {wayWords(best)}.
      </p>
      <div class="buttons">
        <button type="button" class="primary" disabled={taken} onClick={() => useProfile(test.source, profile)}>
          {taken ? "In use" : "Use this"}
        </button>
        <button type="button" onClick={() => download("profile.json", profileText(profile), "application/json")}>
          <Icon name="download" /> Download profile
        </button>
      </div>
      {taken && <p class="hint">The next run takes it, unless its definition names a way of its own.</p>}
    </div>
  );
}

const profileText = (profile: ProbeProfile): string => `${JSON.stringify(profile, null, 2)}\n`;
