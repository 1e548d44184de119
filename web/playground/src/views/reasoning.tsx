/** What a model wrote for itself, folded: a reader opens it, and nobody takes it for the answer. */
import { counted } from "./amounts.js";
import { UntrustedText } from "./untrusted_text.js";

export function Reasoning({ text }: { text: string }) {
  return (
    <details class="because reasoning">
      <summary>Reasoning, {counted([...text].length, "character")}</summary>
      <p>
        <UntrustedText text={text} />
      </p>
    </details>
  );
}
