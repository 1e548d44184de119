/** What a receipt says of the log on show: who signed, what was done, and whether its decisions follow. */
import type { Receipt, Statement } from "../../../verify/receipts.mjs";
import { actsOf, hiddenIn, policiesOf, timeOf } from "../../../verify_page/receipt_words.js";
import type { ReceiptCheck } from "../data/receipts.js";
import { lastReceipt } from "../data/receipts.js";
import { counted } from "./amounts.js";
import { Icon, ToneIcon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";

export function ReceiptCard({ check }: { check: ReceiptCheck }) {
  const tone = check.run ? "accepted" : check.wrong ? "rejected" : "waiting";
  return (
    <section class={`check tone-${tone}`} aria-label="What the receipt says">
      <p class="check-head">
        <ToneIcon tone={tone} />
        <b class="tone-word">{receiptWords(check)}</b>
        <span class="grow" />
        <button
          type="button"
          class="quiet small icon-only"
          aria-label="Dismiss"
          onClick={() => (lastReceipt.value = undefined)}
        >
          <Icon name="close" />
        </button>
      </p>
      <p>
        <UntrustedText text={sentenceOf(check)} />
      </p>
      {check.signed && <Signed signed={check.signed} said={check.statement} />}
      {check.run && (
        <p class="hint">
          The issuer and the time are the words of who signed, and a key is worth what you know of its owner. What was
          hidden is not shown by any log.
        </p>
      )}
    </section>
  );
}

/** Says in a few words what a check found. */
export function receiptWords({ run, wrong, signed, missing }: ReceiptCheck): string {
  if (run) return "Signed, and derived again";
  if (missing) return missing === "key" ? "Add the public key of who signed" : "Add the receipt";
  if (wrong?.line !== undefined) return `Signed, and false at line ${wrong.line}`;
  return signed ? "Signed, and not of this log" : "The receipt does not hold";
}

function sentenceOf({ run, wrong, missing }: ReceiptCheck): string {
  if (wrong) return `What is wrong: ${wrong.message}.`;
  if (missing)
    return missing === "key" ? "It is a file that ends in .pub or .pem." : "It is a file that ends in .receipt.";
  const since = run!.linesAfter > 0 ? ` ${counted(run!.linesAfter, "line")} came since, and follow too.` : "";
  return `Every decision of its ${counted(run!.lines, "line")} was derived again, and the log leads to all that was signed.${since}`;
}

function Signed({ signed, said }: { signed: Receipt; said: Statement | undefined }) {
  const rows: [string, string][] = [
    ["Issuer", signed.issuer],
    ["Key", signed.signer],
    ["Signed at", timeOf(signed.issuedAt)],
  ];
  if (said) rows.push(["Acts", actsOf(said)], ["Hidden", hiddenIn(said)], ["Policies", policiesOf(said)]);
  return (
    <dl class="signed">
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <UntrustedText text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
