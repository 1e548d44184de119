/** The checks that an output or an answer has passed, in words; the last ones, which demand most, first. */
import { passedWords } from "../data/check_words.js";
import { ToneIcon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";

export function PassedChecks({ checks }: { checks: readonly string[] | undefined }) {
  if (checks === undefined || checks.length === 0) return null;
  return (
    <p class="passed">
      <ToneIcon tone="accepted" />
      <span>
        Checked: <UntrustedText text={[...new Set(checks.map(passedWords))].reverse().join(" · ")} />
      </span>
    </p>
  );
}
