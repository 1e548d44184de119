/** One entry of the conversation. What a model or a tool said is only ever a text node. */
import type { CallEntry, ChatEntry, CorrectionEntry, FailedEntry } from "../data/chat_entries.js";
import { isRejected } from "../data/chat_entries.js";
import { causeWords, checkName } from "../data/check_words.js";
import { citedNumber } from "../data/citations.js";
import { eventWords } from "../data/event_words.js";
import { failureSentence } from "../data/failure_words.js";
import type { Tone } from "../data/event_words.js";
import { correctedAnswer, explainedCall, explainedFailure } from "../data/explained.js";
import { waiting } from "../data/waiting.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import type { VerdictEvent } from "../../../src/generated/wire.js";
import { sanitize, sanitizedJson } from "../../../src/sanitize.js";
import { Acts } from "./acts.js";
import { Answer, Decided, Took } from "./answer.js";
import { Below } from "./below.js";
import { goToAnswerOf, goToCall } from "./go_to.js";
import { ToneIcon } from "./icons.js";
import { FileList } from "./file_list.js";
import { Long } from "./long.js";
import { OriginList, ResultLabels } from "./origin_tag.js";
import { UntrustedText } from "./untrusted_text.js";
import { PassedChecks } from "./passed_checks.js";
import { Reasoning } from "./reasoning.js";

export function Entry({ entry }: { entry: ChatEntry }) {
  switch (entry.kind) {
    case "user":
      return (
        <div class="said by-user">
          <FileList parts={entry.files} />
          <p>
            <Long text={entry.text} />
          </p>
        </div>
      );
    case "reasoning":
      return <Reasoning text={entry.text} />;
    case "answer":
      return <Answer entry={entry} />;
    case "call":
      return <Call entry={entry} />;
    case "correction":
      return <Correction entry={entry} />;
    case "failed":
      // Who stopped a run knows that it was no failure.
      if (entry.code === "cancelled") return <Note tone="plain" label="You stopped the run" text="" />;
      return <Failed entry={entry} />;
  }
}

function Note({ tone, label, text }: { tone: Tone; label: string; text: string }) {
  return (
    <p class={`note tone-${tone}`}>
      <ToneIcon tone={tone} />
      <span>
        <b class="tone-word">
          <UntrustedText text={label} />
        </b>{" "}
        <UntrustedText text={text} />
      </span>
    </p>
  );
}

/** The open end of a run: what happened, which outputs did not pass, and what the person can do. */
function Failed({ entry }: { entry: FailedEntry }) {
  const advice = explainedFailure(entry.seq)?.advice;
  return (
    <div class="note tone-failed">
      <ToneIcon tone="failed" />
      <div class="ending">
        <p>
          <b class="tone-word">
            <UntrustedText text={failureSentence(entry.code)} />
          </b>
        </p>
        <p>
          <UntrustedText text={entry.text} />
        </p>
        {entry.rejected.length > 0 && (
          <ul class="rejections" aria-label="What was rejected">
            {entry.rejected.map(({ call_id, tool, verdict }) => (
              <li key={call_id}>
                <button type="button" class="link" title="Go to the result" onClick={() => goToCall(call_id)}>
                  <UntrustedText text={tool} />
                </button>
                : <UntrustedText text={verdict?.reason ?? ""} />
              </li>
            ))}
          </ul>
        )}
        <Acts told={entry.acts} />
        {advice && (
          <p>
            <b>What you can do:</b> {advice}
          </p>
        )}
        <p class="hint">
          <Took by="Asked" cost={entry.cost} />
        </p>
      </div>
    </div>
  );
}

function Correction({ entry }: { entry: CorrectionEntry }) {
  const { correction, ofOutput } = entry;
  const answer = correctedAnswer(correction.seq ?? -1);
  const said = answer ?? entry.said;
  return (
    <div class="note tone-corrected">
      <ToneIcon tone="corrected" />
      <div>
        <p>
          <b class="tone-word">{ofOutput ? "Tried again:" : "Corrected:"}</b>{" "}
          <UntrustedText text={causeWords(correction.cause)} />
        </p>
        {!ofOutput && (
          <p class={answer === undefined ? "struck" : "struck as-text"}>
            <Long text={said === "" ? "(empty)" : said} />
          </p>
        )}
        <details class="told">
          <summary>What the model was told</summary>
          <p>
            <UntrustedText text={correction.content} />
          </p>
        </details>
      </div>
    </div>
  );
}

/** Whether the card below asks about a call, and has all that stands here. */
function isAskedBelow(call_id: string): boolean {
  return waiting.value.some(
    (card) => card.kind === "approval" && card.calls.some((call) => !call.path && call.call_id === call_id),
  );
}

function Call({ entry }: { entry: CallEntry }) {
  if (isAskedBelow(entry.call_id)) return null;
  return <CallCard entry={entry} />;
}

function CallCard({ entry }: { entry: CallEntry }) {
  const { call_id, tool, decided, approval, judges, verdict } = entry;
  const { tone, word } = callState(entry);
  const edited = approval?.approved ? approval.params : undefined;
  const told = explainedCall(call_id);
  const rejected = isRejected(entry);
  return (
    <div
      class={`call${rejected ? " rejected" : ""}${judges === undefined ? "" : " judges"}`}
      role="group"
      aria-label={`${sanitize(tool)}, ${word}`}
      tabIndex={-1}
      data-call={call_id}
    >
      <p class="call-head">
        {entry.cited && <CitedAs call_id={call_id} />}
        <code class="tool-name">
          <UntrustedText text={tool} />
        </code>
        {judges !== undefined && <Judges judges={judges} />}
        {edited && <span class="badge tone-corrected">edited by a person</span>}
        <span class="grow" />
        <span class={`badge tone-${tone}`}>
          <ToneIcon tone={tone} />
          {word}
        </span>
      </p>
      <Decided reason={decided} />
      {edited && <Arguments values={edited} />}
      {entry.call && edited && (
        <details class="because">
          <summary>{decided === undefined ? "What the model wrote" : "What the core decided"}</summary>
          <Arguments values={entry.call.arguments} />
        </details>
      )}
      {entry.call && !edited && <Arguments values={entry.call.arguments} />}
      {entry.approval && told?.origins && <OriginList origins={told.origins} />}
      {approval?.reason && (
        <p class="because">
          “<UntrustedText text={approval.reason} />”
        </p>
      )}
      {entry.result ? <Result entry={entry} /> : <Below call_id={call_id} />}
      {rejected && verdict && judges === undefined && <WhyRejected verdict={verdict} />}
      {verdict?.verdict === "accept" && judges === undefined && <PassedChecks checks={told?.checks} />}
    </div>
  );
}

/** The number by which the answer names the call, and the way to the answer. */
function CitedAs({ call_id }: { call_id: string }) {
  const number = citedNumber(call_id);
  return (
    <button
      type="button"
      class="cite"
      title="Go to the answer"
      aria-label={`Result ${number}: go to the answer`}
      onClick={() => goToAnswerOf(call_id)}
    >
      {number}
    </button>
  );
}

function Judges({ judges }: { judges: string }) {
  if (judges === "answer") return <span class="hint">checks the answer</span>;
  return (
    <button type="button" class="link hint" onClick={() => goToCall(judges)}>
      checks a result
    </button>
  );
}

function Result({ entry }: { entry: CallEntry }) {
  return (
    <div class="call-result">
      <ResultLabels call_id={entry.call_id} tool={entry.tool} />
      <p>
        <Long text={resultText(entry)} />
      </p>
    </div>
  );
}

/** The plain words of the check that an output did not pass. */
function WhyRejected({ verdict }: { verdict: VerdictEvent }) {
  return (
    <p class="why tone-rejected">
      <ToneIcon tone="rejected" />
      <span>
        <b class="tone-word">Not used:</b> <UntrustedText text={verdict.reason ?? ""} />{" "}
        {verdict.check && (
          <span class="hint">
            <UntrustedText text={checkName(verdict.check)} />
          </span>
        )}
      </span>
    </p>
  );
}

/** A call that the model has written, while its output is not over: nothing is known of it but its words. */
export function WrittenCall({ tool, params }: { tool: string; params: Readonly<Record<string, unknown>> }) {
  return (
    <div class="call written">
      <p class="call-head">
        <code class="tool-name">
          <UntrustedText text={tool} />
        </code>
        <span class="badge tone-made">
          <ToneIcon tone="made" />
          written
        </span>
      </p>
      <Arguments values={params} />
    </div>
  );
}

function Arguments({ values }: { values: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="arguments">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>
            <UntrustedText text={name} />
          </dt>
          <dd>{typeof value === "string" ? <Long text={value} /> : <bdi>{sanitizedJson(writeExactly(value))}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}

function callState({ approval, asked, result, verdict, judges }: CallEntry): { tone: Tone; word: string } {
  if (approval && !approval.approved) return { tone: "rejected", word: "refused" };
  if (verdict && judges) return { tone: verdictTone(verdict), word: `${verdict.verdict}s` };
  if (verdict) return { tone: verdictTone(verdict), word: `${verdict.verdict}ed` };
  if (result) return result.ok === false ? { tone: "rejected", word: "failed" } : { tone: "made", word: "returned" };
  return asked && !approval ? { tone: "waiting", word: "waits for approval" } : { tone: "made", word: "running" };
}

function verdictTone({ verdict }: VerdictEvent): Tone {
  return verdict === "accept" ? "accepted" : "rejected";
}

function resultText({ result }: CallEntry): string {
  if (!result) return "";
  const { text } = eventWords(result);
  return text.slice(result.tool_name.length + 2);
}
