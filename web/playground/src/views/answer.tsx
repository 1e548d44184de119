/** An answer: its text with its citations, what it rests on, what was checked, and what it took. */
import type { AnswerEntry, Cost } from "../data/chat_entries.js";
import { DECIDED_WORDS } from "../data/event_words.js";
import { explainedAnswer } from "../data/explained.js";
import { citationMarks, sourcesOf } from "../data/citations.js";
import type { Source } from "../data/citations.js";
import { modelWords } from "../data/who_answered.js";
import { Acts } from "./acts.js";
import { counted, milliseconds } from "./amounts.js";
import { CopyButton } from "./copy_button.js";
import { goToCall } from "./go_to.js";
import { Markdown, Phrase } from "./markdown.js";
import { ResultLabels } from "./origin_tag.js";
import { UntrustedText } from "./untrusted_text.js";
import { PassedChecks } from "./passed_checks.js";

export function Answer({ entry }: { entry: AnswerEntry }) {
  const { text, question, cost, decided, seq, citations, acts, results } = entry;
  const told = explainedAnswer(seq);
  const sources = sourcesOf(text, citations, told?.sentences ?? []);
  return (
    <div class="said by-model answer" tabIndex={-1} data-cites={sources.map(({ call_id }) => call_id).join(" ")}>
      {question && <p class="because">Asks you</p>}
      <bdi class="markdown">
        <Markdown text={text} marks={citationMarks(citations)} />
      </bdi>
      <Decided reason={decided} />
      <Sources sources={sources} />
      {sources.length === 0 &&
        results > 0 &&
        !question &&
        decided === undefined &&
        !told?.checks?.includes("citations") && (
          <p class="uncited hint">Names no result: this agent asks for no citations.</p>
        )}
      {acts.acts === undefined && results > 0 && (
        <p class="acts hint">Changed nothing: this agent's tools only read.</p>
      )}
      <Acts told={acts} />
      <PassedChecks checks={told?.checks} />
      <p class="answer-foot hint">
        <CopyButton text={text} label="Copy the answer" />
        <Took by="Answered by" cost={cost} />
      </p>
    </div>
  );
}

/** Who was asked, and what it took. */
export function Took({ by, cost }: { by: string; cost: Cost }) {
  return (
    <span>
      {cost.model !== undefined && (
        <>
          {by} <UntrustedText text={modelWords(cost.model)} />
          {costWords(cost) !== "" && " \u00b7 "}
        </>
      )}
      {costWords(cost)}
    </span>
  );
}

/** That the core made a move without the model, and why. */
export function Decided({ reason = "" }: { reason?: string | undefined }) {
  const words = DECIDED_WORDS.get(reason);
  return words === undefined ? null : <p class="because">Decided {words}</p>;
}

/** The results that an answer names, each with the sentences that rest on it. */
function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section class="backing" aria-label="What the answer rests on">
      <p class="hint">Rests on {counted(sources.length, "result")}</p>
      <ol>
        {sources.map(({ call_id, tool, number, sentences }) => (
          <li key={call_id}>
            <span class="backing-head">
              <button type="button" class="backing-call" title="Go to the result" onClick={() => goToCall(call_id)}>
                <span class="cite">{number}</span>
                <code>
                  <UntrustedText text={tool} />
                </code>
              </button>
              <ResultLabels call_id={call_id} />
            </span>
            {sentences.map((sentence) => (
              <q key={sentence}>
                <Phrase text={sentence} />
              </q>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function costWords({ ms, promptTokens, answerTokens, decisions }: Cost): string {
  const tokens =
    promptTokens === undefined ? "" : `${counted(promptTokens, "token")} read, ${answerTokens ?? 0} written`;
  const moves = decisions && `${counted(decisions.byModel, "decision")} by the model, ${decisions.without} without it`;
  return [ms === undefined ? "" : milliseconds(ms), tokens, moves ?? ""].filter((words) => words !== "").join(" · ");
}
