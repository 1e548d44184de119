/** The log of the branch: its exact lines, to download and verify; opens other logs. */
import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { LogCheck } from "../data/logs.js";
import { checkLog, download, lastCheck, openLog, withOneByteChanged } from "../data/logs.js";
import { takeLinkedLog } from "../data/linked_log.js";
import { announce, notify, wordsOf } from "../data/notices.js";
import type { ReceiptCheck } from "../data/receipts.js";
import { checkReceipt, lastReceipt } from "../data/receipts.js";
import { branch, running, session } from "../data/run.js";
import type { Step } from "../data/steps.js";
import { logText } from "../data/steps.js";
import { counted } from "./amounts.js";
import { differingParts } from "./differing_parts.js";
import { currentHead, HeadCard } from "./head_card.js";
import { Icon, ToneIcon } from "./icons.js";
import { showView } from "./layout.js";
import { Long } from "./long.js";
import { ReceiptCard, receiptWords } from "./receipt_card.js";
import { UntrustedText } from "./untrusted_text.js";
import { trailTab } from "./trail_tab.js";
import { useWindow } from "./window.js";

/** Whether long lines are shown to their end. */
const wholeLines = signal(false);

const reported = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => notify(wordsOf(error), "failed"));

async function verify(): Promise<void> {
  const { steps } = branch.value!;
  tell(await checkLog("The log of this branch", logText(steps), { head: await currentHead(), steps }));
}

async function verifyChanged(): Promise<void> {
  const { steps } = branch.value!;
  const { text, line } = withOneByteChanged(logText(steps));
  const against = { head: await currentHead(), changed: line, steps };
  tell(await checkLog(`A copy with line ${line} changed`, text, against));
}

/** The last check, if it is of the steps shown. */
function checkOnShow(): LogCheck | undefined {
  const check = lastCheck.value;
  return check?.steps && check.steps !== branch.value?.steps ? undefined : check;
}

/** The log on show, and what is the same as long as it is on show: the last one opened, if it does not hold. */
function logOnShow(): { text: string; of: unknown } | undefined {
  const check = checkOnShow();
  if (check && !check.found.ok) return { text: check.text, of: check };
  const steps = branch.value?.steps ?? [];
  return steps.length > 0 ? { text: logText(steps), of: steps } : undefined;
}

async function holdAgainst(files: readonly File[]): Promise<void> {
  const log = logOnShow();
  if (log) announce(receiptWords(await checkReceipt(files, log)));
}

/** The last check of a receipt, if it is of the log on show. */
function receiptOnShow(steps: readonly Step[], broken: LogCheck | undefined): ReceiptCheck | undefined {
  const check = lastReceipt.value;
  return check && check.of === (broken ?? steps) ? check : undefined;
}

function tell({ name, found }: LogCheck): void {
  announce(
    found.ok
      ? `${name} is verified, ${counted(found.lines, "line")}`
      : `${name} differs in line ${found.line}: ${found.message}`,
  );
}

/** Opens a log, and tells what checking it found. */
export async function openShown(name: string, text: string | Promise<string>): Promise<void> {
  const words = await openLog(name, text);
  if (words) notify(words);
  tell(lastCheck.value!);
}

async function openLinked(): Promise<void> {
  const linked = await takeLinkedLog();
  if (!linked) return;
  trailTab.value = "log";
  showView("trail");
  await openShown(linked.name, linked.text);
}

/** Opens the log that stands in the page's address, now and whenever another one does. */
export function watchLinkedLog(): void {
  const look = () => reported(openLinked());
  addEventListener("hashchange", look);
  look();
}

export function LogPane() {
  const steps = branch.value?.steps ?? [];
  const check = checkOnShow();
  const broken = check && !check.found.ok ? check : undefined;
  const receipt = receiptOnShow(steps, broken);
  return (
    <>
      <Tools empty={steps.length === 0} />
      <div class="scroll">
        {receipt && <ReceiptCard check={receipt} />}
        {check && <CheckCard check={check} />}
        {steps.length > 0 && <HeadCard key={session.value?.id} steps={steps} />}
        {broken ? (
          <Lines lines={broken.text.split("\n")} marked={markedLines(broken)} />
        ) : (
          <Lines lines={steps.flatMap(linesOf)} marked={NO_LINES} />
        )}
        {steps.length === 0 && !check && (
          <div class="empty">
            <p>No log yet.</p>
            <p class="hint">Ask something, or open a log that a purestep run has written.</p>
          </div>
        )}
        <p class="hint without-core">
          Or <a href="./verify.html">check logs without the core</a>, in a page of one small file.
        </p>
      </div>
    </>
  );
}

/** The line that does not follow, and the one that was changed on purpose. */
function markedLines({ found, changed }: LogCheck): ReadonlySet<number> {
  return new Set([found.line ?? 0, changed ?? 0]);
}

const linesOf = (step: { lines: readonly { text: string }[] }): string[] => step.lines.map((line) => line.text);

function Tools({ empty }: { empty: boolean }) {
  const file = useRef<HTMLInputElement>(null);
  const receipt = useRef<HTMLInputElement>(null);
  const idle = empty || running.value;
  return (
    <div class="log-tools">
      <button type="button" disabled={idle} onClick={() => reported(verify())}>
        Verify
      </button>
      <button
        type="button"
        disabled={empty}
        onClick={() => download(`${session.value!.run_id}.jsonl`, logText(branch.value!.steps))}
      >
        <Icon name="download" /> Download
      </button>
      <button type="button" disabled={running.value} onClick={() => file.current?.click()}>
        <Icon name="open" /> Open
      </button>
      <button
        type="button"
        title="Hold this log against a receipt"
        disabled={running.value || !logOnShow()}
        onClick={() => receipt.current?.click()}
      >
        Receipt
      </button>
      <button type="button" class="quiet" disabled={idle} onClick={() => reported(verifyChanged())}>
        Change one byte
      </button>
      <button
        type="button"
        class="quiet"
        aria-pressed={wholeLines.value}
        onClick={() => (wholeLines.value = !wholeLines.value)}
      >
        Whole lines
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".jsonl,.json,.txt"
        aria-label="Open a log file"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = ""; // the same file may be chosen again
          if (chosen) reported(openShown(chosen.name, chosen.text()));
        }}
      />
      <input
        ref={receipt}
        type="file"
        multiple
        hidden
        accept=".receipt,.pub,.pem"
        aria-label="A receipt, and the public key of who signed"
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          if (chosen.length > 0) reported(holdAgainst(chosen));
        }}
      />
    </div>
  );
}

function CheckCard({ check }: { check: LogCheck }) {
  const { found, name } = check;
  const tone = found.ok ? "accepted" : "rejected";
  return (
    <section class={`check tone-${tone}`} aria-label="What checking the log found">
      <p class="check-head">
        <ToneIcon tone={tone} />
        <b class="tone-word">{found.ok ? "Verified" : `Differs at line ${found.line ?? "?"}`}</b>
        <span class="grow" />
        <button
          type="button"
          class="quiet small icon-only"
          aria-label="Dismiss"
          onClick={() => (lastCheck.value = undefined)}
        >
          <Icon name="close" />
        </button>
      </p>
      <p>
        {found.ok
          ? `${name}: ${counted(found.lines, "line")}. Every decision was derived again, and the bytes are equal.`
          : `${name}: ${found.message}.`}
      </p>
      {check.changed !== undefined && found.line !== undefined && found.line !== check.changed && (
        <p class="hint">
          The change is in line {check.changed}. It shows in line {found.line}, the next one that names the head of all
          lines before it.
        </p>
      )}
      {found.ok && <p class="hint">{keptWords(check)}</p>}
      {!found.ok && (found.expected || found.got) && <Differs check={check} />}
    </section>
  );
}

function keptWords({ head, linesAfter, found }: LogCheck): string {
  if (head === undefined) return "Without a head that was kept elsewhere, lines cut off the end do not show.";
  if (linesAfter) return `It is the log that was kept: ${counted(linesAfter, "line")} came since.`;
  return `It ends in the head that it was held against, ${found.head.slice(0, 12)}.`;
}

function Differs({ check }: { check: LogCheck }) {
  const { expected, got } = check.found;
  const parts = differingParts(expected ?? "", got ?? "");
  return (
    <dl class="differs">
      <dt>expected</dt>
      <dd>{expected ? <Part {...parts} middle={parts.left} /> : "nothing"}</dd>
      <dt>got</dt>
      <dd>{got ? <Part {...parts} middle={parts.right} /> : "nothing"}</dd>
    </dl>
  );
}

function Part({ before, middle, after }: { before: string; middle: string; after: string }) {
  return (
    <>
      <UntrustedText text={before} />
      <mark>
        <UntrustedText text={middle} />
      </mark>
      <UntrustedText text={after} />
    </>
  );
}

const NO_LINES: ReadonlySet<number> = new Set();

function Lines({ lines, marked }: { lines: readonly string[]; marked: ReadonlySet<number> }) {
  const shown = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  const { from, to, earlier } = useWindow(shown.length, "line", lastOf(marked));
  if (shown.length === 0) return null;
  return (
    <>
      {earlier}
      <ol
        class={wholeLines.value ? "log-lines" : "log-lines short"}
        start={from + 1}
        style={{ counterReset: `line ${from}` }}
        tabIndex={0}
        aria-label="Log lines"
      >
        {shown.slice(from, to).map((line, row) => (
          <LogLine key={from + row} line={line} marked={marked.has(from + row + 1)} />
        ))}
      </ol>
    </>
  );
}

const lastOf = (marked: ReadonlySet<number>): number | undefined => (marked.size ? Math.max(...marked) - 1 : undefined);

// A line that is not shown to its end is clipped to the width of the screen.
const CLIPPED_CHARS = 400;

function LogLine({ line, marked }: { line: string; marked: boolean }) {
  return (
    <li class={marked ? "marked" : ""}>
      <span>
        {marked && <span class="unseen">marked: </span>}
        {wholeLines.value ? <Long text={line} /> : <UntrustedText text={line.slice(0, CLIPPED_CHARS)} />}
      </span>
    </li>
  );
}
