/** A request on a phone: whose it is, what it asks, and the buttons, once the person knows whose it is. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { AskedCallFacts, outsideOf } from "../playground/src/views/asked_call.js";
import { CLEAR_REASON, DecideButtons } from "../playground/src/views/decide_buttons.js";
import { JsonText } from "../playground/src/views/json_text.js";
import { ToneIcon } from "../playground/src/views/icons.js";
import { UntrustedText } from "../playground/src/views/untrusted_text.js";
import { laidOut } from "../playground/src/data/json_layout.js";
import type { ReadRequest, RequestedCall, Said } from "../src/approval_codes/index.js";
import { MAX_REASON_CHARS } from "../src/approval_codes/texts.js";
import { inGroups } from "../src/approval_codes/packing.js";
import { parseVerbatim } from "../src/exact_numbers.js";
import { sanitize, sanitizedJson } from "../src/sanitize.js";
import type { Trust } from "./kept.js";
import { effectWords, leftWords } from "./words.js";

/** How long after the buttons appear nothing is approved: a double tap meant what stood here before. */
const GUARD_MS = 500;

export interface OpenRequest {
  readonly request: ReadRequest;
  readonly trust: Trust;
  /** The digits of the host's key, and of this phone's. */
  readonly host: string;
  readonly own: string;
}

interface RequestViewProps extends OpenRequest {
  readonly compared: () => void;
  readonly answer: (answers: readonly Said[]) => void;
}

export function RequestView({ request, trust, host, own, compared, answer }: RequestViewProps) {
  const { calls, approvers, expires_at, run_id } = request;
  const answers = useSignal<readonly (Said | undefined)[]>(calls.map(() => undefined));
  const now = useNow();
  const isForOthers = approvers.length > 0 && !approvers.includes(own);
  const isOpen = trust === "known" && !isForOthers && expires_at > now;
  const decide = (index: number, said: Said | undefined): void => {
    const all = answers.value.map((other, at) => (at === index ? said : other));
    answers.value = all;
    const given = all.filter((other) => other !== undefined);
    if (given.length === calls.length) answer(given);
  };
  return (
    <>
      <Whose request={request} trust={trust} host={host} compared={compared} />
      {isForOthers && (
        <Note tone="rejected" words="It asks somebody else: this phone's key is not among those that may answer." />
      )}
      {expires_at <= now && (
        <Note
          tone="rejected"
          words="It asks no longer: the time to answer is over by this phone's clock. Ask for a new code."
        />
      )}
      <section class="card waiting" aria-labelledby="asked">
        <h1 id="asked">
          <ToneIcon tone="waiting" /> {calls.length === 1 ? "May this run?" : `May these ${calls.length} calls run?`}
        </h1>
        {calls.length > 1 && <p class="hint">Decide each one. The answer is about all of them.</p>}
        {calls.map((call, index) => (
          <CallQuestion
            key={call.key}
            call={call}
            id={`call-${index}`}
            place={calls.length > 1 ? `${index + 1} of ${calls.length}` : ""}
            isOpen={isOpen}
            said={answers.value[index]}
            decide={(said) => decide(index, said)}
          />
        ))}
      </section>
      <p class="hint of-run">
        Run <UntrustedText text={run_id} />
        {expires_at > now && `, to be answered within ${leftWords(expires_at - now)}`}
      </p>
    </>
  );
}

function useNow(): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now.value;
}

interface WhoseProps extends Pick<OpenRequest, "request" | "trust" | "host"> {
  readonly compared: () => void;
}

/** Whose request it is; a host that is met for the first time, or that has another key, is compared. */
function Whose({ request: { name }, trust, host, compared }: WhoseProps) {
  const called = name === "" ? "A host without a name" : <UntrustedText text={name} />;
  if (trust === "known") {
    return (
      <p class="whose">
        <ToneIcon tone="accepted" />
        <span>
          <b>{called}</b> asks. You have compared its key.
        </span>
      </p>
    );
  }
  const isChanged = trust === "changed";
  const tone = isChanged ? "failed" : "corrected";
  return (
    <section class={`note compare tone-${tone}`} role={isChanged ? "alert" : undefined} aria-label="Whose code this is">
      <ToneIcon tone={tone} />
      <div>
        <p>
          {isChanged ? (
            <>
              <b>Stop: this is another key than the one you know as {called}.</b> Somebody else may have made this code.
              Answer only if you know why the key is a new one.
            </>
          ) : (
            <>
              <b>{called}</b> asks this phone for the first time. Does the screen with the code show the same digits?
            </>
          )}
        </p>
        <p class="digits">{inGroups(host)}</p>
        <p class="buttons">
          <button type="button" class={isChanged ? "danger" : "primary"} onClick={compared}>
            {isChanged ? "I have compared the new key" : "They are the same"}
          </button>
        </p>
      </div>
    </section>
  );
}

function Note({ tone, words }: { tone: "rejected" | "corrected"; words: string }) {
  return (
    <p class={`note tone-${tone}`} role="alert">
      <ToneIcon tone={tone} /> <span>{words}</span>
    </p>
  );
}

interface CallQuestionProps {
  readonly call: RequestedCall;
  readonly id: string;
  readonly place: string;
  readonly isOpen: boolean;
  readonly said: Said | undefined;
  readonly decide: (said: Said | undefined) => void;
}

function CallQuestion({ call, id, place, isOpen, said, decide }: CallQuestionProps) {
  const shown = { ...call, params: paramsOf(call.params_json) };
  const effects = effectWords(call.annotations);
  return (
    <div class="approve-call" role="group" aria-labelledby={`${id}-tool`}>
      <AskedCallFacts call={shown} id={id} place={place} />
      {call.description && (
        <p class="hint">
          <UntrustedText text={call.description} />
        </p>
      )}
      {effects && <p class="hint">By its definition, it {effects}.</p>}
      <pre class="code approve-arguments" tabIndex={0} role="region" aria-label={`Arguments of ${sanitize(call.tool)}`}>
        <JsonText text={sanitizedJson(laidOut(call.params_json))} />
      </pre>
      {said ? (
        <p class="approve-decided">
          <span class={`badge tone-${said.approved ? "accepted" : "rejected"}`}>
            <ToneIcon tone={said.approved ? "accepted" : "rejected"} />
            {said.approved ? "approved" : "refused"}
          </span>
          <button type="button" class="quiet small" onClick={() => decide(undefined)}>
            Change
          </button>
        </p>
      ) : (
        isOpen && <Buttons id={id} isOutside={outsideOf(shown).length > 0} decide={decide} />
      )}
    </div>
  );
}

function paramsOf(text: string): Record<string, unknown> {
  try {
    return parseVerbatim(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

interface ButtonsProps {
  readonly id: string;
  readonly isOutside: boolean;
  readonly decide: (said: Said) => void;
}

function Buttons({ id, isOutside, decide }: ButtonsProps) {
  const reason = useSignal("");
  const problem = useSignal("");
  const guarded = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (guarded.value = false), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  const approve = (): void => {
    if (guarded.value) return;
    if (reason.value.trim() === "") decide({ approved: true });
    else problem.value = CLEAR_REASON;
  };
  const refuse = (): void => {
    const words = reason.value.trim();
    if ([...words].length > MAX_REASON_CHARS) problem.value = `Say it in ${MAX_REASON_CHARS} characters.`;
    else decide({ approved: false, ...(words !== "" && { reason: words }) });
  };
  return (
    <DecideButtons
      id={id}
      words="Approve"
      isOutside={isOutside}
      guarded={guarded.value}
      reason={reason}
      problem={problem.value}
      approve={approve}
      refuse={refuse}
    />
  );
}
