/** One entry of the conversation. What a model or a tool said is only ever a text node. */
import type { CallEntry, ChatEntry, Cost } from "../data/chat_entries.js";
import { DECIDED_WORDS, eventWords } from "../data/event_words.js";
import type { Tone } from "../data/event_words.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import { sanitizedJson } from "../../../src/sanitize.js";
import { counted, milliseconds } from "./amounts.js";
import { CopyButton } from "./copy_button.js";
import { ToneIcon } from "./icons.js";
import { Long } from "./long.js";
import { Markdown } from "./markdown.js";
import { Outside } from "./outside.js";

export function Entry({ entry }: { entry: ChatEntry }) {
  switch (entry.kind) {
    case "user":
      return (
        <p class="said by-user">
          <Long text={entry.text} />
        </p>
      );
    case "answer":
      return <Answer {...entry} />;
    case "call":
      return <Call entry={entry} />;
    case "correction":
      return <Correction entry={entry} />;
    case "rejected":
      return <Note tone="rejected" label="Rejected" text={entry.verdict.reason ?? entry.verdict.check ?? ""} />;
    case "failed":
      // Who stopped a run knows that it was no failure.
      if (entry.code === "cancelled") return <Note tone="plain" label="You stopped the run" text="" />;
      return <Note tone="failed" label={`Ended: ${entry.code.replaceAll("_", " ")}`} text={entry.text} />;
  }
}

function Answer({ text, cost, decided }: Extract<ChatEntry, { kind: "answer" }>) {
  return (
    <div class="said by-model">
      <bdi class="markdown">
        <Markdown text={text} />
      </bdi>
      <Decided reason={decided} />
      <p class="answer-foot hint">
        <CopyButton text={text} label="Copy the answer" />
        <span>{costWords(cost)}</span>
      </p>
    </div>
  );
}

/** That the core made a move without the model, and why. */
function Decided({ reason = "" }: { reason?: string | undefined }) {
  const words = DECIDED_WORDS.get(reason);
  return words === undefined ? null : <p class="because">Decided {words}</p>;
}

function costWords({ ms, promptTokens, answerTokens, decisions }: Cost): string {
  const tokens =
    promptTokens === undefined ? "" : `${counted(promptTokens, "token")} read, ${answerTokens ?? 0} written`;
  const moves = decisions && `${counted(decisions.byModel, "decision")} by the model, ${decisions.without} without it`;
  return [ms === undefined ? "" : milliseconds(ms), tokens, moves ?? ""].filter((words) => words !== "").join(" · ");
}

function Note({ tone, label, text }: { tone: Tone; label: string; text: string }) {
  return (
    <p class={`note tone-${tone}`}>
      <ToneIcon tone={tone} />
      <span>
        <b class="tone-word">
          <Outside text={label} />
        </b>{" "}
        <Outside text={text} />
      </span>
    </p>
  );
}

function Correction({ entry }: { entry: Extract<ChatEntry, { kind: "correction" }> }) {
  return (
    <div class="note tone-corrected">
      <ToneIcon tone="corrected" />
      <div>
        <p>
          <b class="tone-word">Corrected</b> <Outside text={entry.correction.cause.replaceAll("_", " ")} />
        </p>
        <p class="struck">
          <Long text={entry.said === "" ? "(empty)" : entry.said} />
        </p>
        <p class="told">
          <Outside text={entry.correction.content} />
        </p>
      </div>
    </div>
  );
}

function Call({ entry }: { entry: CallEntry }) {
  const { tone, word } = callState(entry);
  const edited = entry.approval?.approved ? entry.approval.params : undefined;
  return (
    <div class="call">
      <p class="call-head">
        <code class="tool-name">
          <Outside text={entry.tool} />
        </code>
        {edited && <span class="badge tone-corrected">edited by a person</span>}
        <span class="grow" />
        <span class={`badge tone-${tone}`}>
          <ToneIcon tone={tone} />
          {word}
        </span>
      </p>
      <Decided reason={entry.decided} />
      {edited && <Arguments values={edited} />}
      {entry.call && edited && (
        <details class="because">
          <summary>{entry.decided === undefined ? "What the model wrote" : "What the core decided"}</summary>
          <Arguments values={entry.call.arguments} />
        </details>
      )}
      {entry.call && !edited && <Arguments values={entry.call.arguments} />}
      {entry.approval?.reason && (
        <p class="because">
          “<Outside text={entry.approval.reason} />”
        </p>
      )}
      {entry.result && (
        <p class="call-result">
          <Long text={resultText(entry)} />
        </p>
      )}
      {entry.verdict?.reason && (
        <p class="because">
          <Outside text={entry.verdict.reason} />
        </p>
      )}
    </div>
  );
}

/** A call that the model has written, while its output is not over: nothing is known of it but its words. */
export function WrittenCall({ tool, params }: { tool: string; params: Readonly<Record<string, unknown>> }) {
  return (
    <div class="call written">
      <p class="call-head">
        <code class="tool-name">
          <Outside text={tool} />
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
            <Outside text={name} />
          </dt>
          <dd>{typeof value === "string" ? <Long text={value} /> : <bdi>{sanitizedJson(writeExactly(value))}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}

function callState({ approval, asked, result, verdict }: CallEntry): { tone: Tone; word: string } {
  if (approval && !approval.approved) return { tone: "rejected", word: "refused" };
  if (verdict) return verdictState(verdict.verdict);
  if (result) return result.ok === false ? { tone: "rejected", word: "failed" } : { tone: "made", word: "returned" };
  return asked && !approval ? { tone: "waiting", word: "waits for approval" } : { tone: "made", word: "running" };
}

function verdictState(verdict: string): { tone: Tone; word: string } {
  return verdict === "accept" ? { tone: "accepted", word: "accepted" } : { tone: "rejected", word: "rejected" };
}

function resultText({ result }: CallEntry): string {
  if (!result) return "";
  const { text } = eventWords(result);
  return text.slice(result.tool_name.length + 2);
}
