/** Approve by phone, loaded with the first code: what waits as a picture, and the way for the phone's answer back. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { inGroups, MAX_PICTURE_CHARS } from "../../../src/approval_codes/packing.js";
import { PurestepError } from "../../../src/errors.js";
import { sanitize } from "../../../src/sanitize.js";
import { addApprover, approvalsOf, approverNames, codeFor, forgetApprover, signerOf } from "../data/approval_codes.js";
import type { ShownCode } from "../data/approval_codes.js";
import type { WaitingApproval } from "../data/waiting.js";
import { CodeField } from "./code_field.js";
import { CopyTextButton } from "./copy_button.js";
import { ToneIcon } from "./icons.js";
import { QrPicture } from "./qr_picture.js";
import { UntrustedText } from "./untrusted_text.js";

export function PhoneSteps({ card }: { card: WaitingApproval }) {
  const code = useSignal<ShownCode | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => {
    codeFor(card.calls).then(
      (made) => (code.value = made),
      (error: unknown) => (problem.value = words(error)),
    );
  }, [card]);
  if (problem.value)
    return (
      <p class="note tone-failed" role="alert">
        <ToneIcon tone="failed" /> {problem.value}
      </p>
    );
  return code.value ? <Both card={card} code={code.value} /> : <p class="hint">The code is being made.</p>;
}

function Both({ card, code }: { card: WaitingApproval; code: ShownCode }) {
  const { link, digits, name } = code;
  return (
    <div class="phone-steps">
      <section aria-labelledby="phone-show">
        <h3 id="phone-show">1. Scan it with the phone</h3>
        {link.length <= MAX_PICTURE_CHARS ? (
          <QrPicture text={link} label="The call as a QR code" />
        ) : (
          <p class="note">
            This has {link.length} characters: too many for a picture that phones read. Nothing is cut; send the link
            instead.
          </p>
        )}
        <p class="buttons">
          <CopyTextButton text={link} words="Copy the link" />
        </p>
        <p class="hint">The first time, the phone asks whether you see the digits of {name} here:</p>
        <p class="digits">{inGroups(digits)}</p>
        {/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname) && (
          <p class="hint">
            This page is served to this machine alone. A phone opens the code with a page approve.html that it can
            reach.
          </p>
        )}
      </section>
      <section aria-labelledby="phone-take">
        <h3 id="phone-take">2. Take the answer</h3>
        <Taking card={card} />
      </section>
    </div>
  );
}

/** A key that has signed an answer, and is not among those that may. */
interface Stranger {
  readonly answer: string;
  readonly phone: string;
  readonly digits: string;
}

function Taking({ card }: { card: WaitingApproval }) {
  const problem = useSignal("");
  const stranger = useSignal<Stranger | undefined>(undefined);
  const take = async (answer: string): Promise<void> => {
    problem.value = "";
    stranger.value = undefined;
    try {
      card.answer(await approvalsOf(answer, card.calls));
    } catch (error) {
      if (error instanceof PurestepError && error.code === "answer_not_allowed")
        stranger.value = { answer, ...(await signerOf(answer)) };
      else problem.value = words(error);
    }
  };
  return (
    <>
      {stranger.value && <Introduce {...stranger.value} again={(answer) => void take(answer)} />}
      <CodeField
        id="phone-answer"
        label="Or paste the answer's link"
        scan="Scan the answer"
        go="Take it"
        fits={(text) => /(?:^|#)a\.[A-Za-z0-9_-]+$/.test(text.trim())}
        take={(text) => void take(text)}
        problem={problem.value}
      />
      <Known />
    </>
  );
}

/** The phones that may answer, each to be forgotten where it was lost. */
function Known() {
  const names = useSignal<readonly string[]>([]);
  const look = (): Promise<void> => approverNames().then((found) => void (names.value = found));
  useEffect(() => void look(), []);
  if (names.value.length === 0) return null;
  return (
    <ul class="known" aria-label="Phones that may answer">
      {names.value.map((name) => (
        <li key={name}>
          <span>
            <UntrustedText text={name} /> may answer
          </span>
          <button
            type="button"
            class="quiet small"
            aria-label={`Forget the phone of ${sanitize(name)}`}
            onClick={() => void forgetApprover(name).then(look)}
          >
            Forget
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Lets the key of a phone answer, once the person has compared it. */
function Introduce({ answer, phone, digits, again }: Stranger & { again: (answer: string) => void }) {
  const name = useSignal("");
  const taken = useSignal<readonly string[]>([]);
  useEffect(() => void approverNames().then((names) => (taken.value = names)), []);
  const isTaken = taken.value.includes(name.value.trim());
  return (
    <form
      class="note tone-corrected introduce"
      onSubmit={(event) => {
        event.preventDefault();
        const given = name.value.trim();
        if (given !== "" && !isTaken) void addApprover(given, phone).then(() => again(answer));
      }}
    >
      <p>
        <b>This phone may not answer yet.</b> Does it show these digits, under "This phone's key"?
      </p>
      <p class="digits">{inGroups(digits)}</p>
      <label for="phone-name">Whose phone is it? The log says who approved</label>
      <input
        id="phone-name"
        value={name.value}
        required
        autocomplete="off"
        aria-describedby="phone-name-problem"
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <p id="phone-name-problem" class="problem" role="alert">
        {isTaken ? "Somebody else has this name here." : ""}
      </p>
      <p class="buttons">
        <button class="primary">They are the same: take the answer</button>
      </p>
    </form>
  );
}

const ANSWER_WORDS: ReadonlyMap<string, string> = new Map([
  ["bad_answer", "This is no answer from a phone. Scan or copy it again, as a whole."],
  ["answer_forged", "This answer was changed on its way: its signature does not fit. Nothing was approved."],
  ["answer_stale", "This answer is about something else, or the run has moved on. Scan the code again."],
  ["answer_expired", "This answer came too late. Close this, and show a new code."],
  ["form_call", "This call asks for more than a yes or no: answer it here."],
  ["request_too_large", "This call is too large to be shown on a phone: answer it here."],
]);

function words(error: unknown): string {
  const code = error instanceof PurestepError ? error.code : "";
  return ANSWER_WORDS.get(code) ?? (error instanceof Error ? error.message : String(error));
}
