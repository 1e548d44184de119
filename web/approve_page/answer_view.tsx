/** A signed answer: as a picture for the other screen's camera, and as a link to send. */
import { CopyTextButton } from "../playground/src/views/copy_button.js";
import { ToneIcon } from "../playground/src/views/icons.js";
import { QrPicture } from "../playground/src/views/qr_picture.js";
import { MAX_PICTURE_CHARS } from "../src/approval_codes/index.js";
import { inGroups } from "../src/approval_codes/packing.js";
import { answerTitle } from "./words.js";

export interface SignedAnswer {
  readonly code: string;
  readonly answers: readonly { readonly approved: boolean }[];
  /** The digits of the key that has signed it. */
  readonly by: string;
  /** Whether it was opened by its link, on whatever device. */
  readonly isFromLink: boolean;
}

export function AnswerView({ answer, again }: { answer: SignedAnswer; again: (() => void) | undefined }) {
  const { code, answers, by, isFromLink } = answer;
  const link = `${location.href.split("#")[0]}#${code}`;
  const tone = answers.every(({ approved }) => approved) ? "accepted" : "rejected";
  return (
    <section class="card answer" aria-labelledby="answered">
      <h1 id="answered" tabIndex={-1} class={`tone-word tone-${tone}`}>
        <ToneIcon tone={tone} /> {answerTitle(answers)}
      </h1>
      <p>
        {isFromLink
          ? "This link holds an answer. Take it to the screen where the run waits."
          : "Signed. Nothing happens before the run has it: show it to the camera of the screen with the code, or send the link."}
      </p>
      {code.length <= MAX_PICTURE_CHARS ? (
        <QrPicture text={code} label="The answer as a QR code" />
      ) : (
        <p class="note">It is too long for a picture. Send the link.</p>
      )}
      <p class="buttons">
        {typeof navigator.share === "function" && (
          <button
            type="button"
            class="primary"
            onClick={() => void navigator.share({ url: link }).catch(() => undefined)}
          >
            Send the link
          </button>
        )}
        <CopyTextButton text={link} words="Copy the link" />
        {again && (
          <button type="button" class="quiet" onClick={again}>
            Decide again
          </button>
        )}
      </p>
      <p class="hint">Signed by the key</p>
      <p class="digits">{inGroups(by)}</p>
    </section>
  );
}
