/** JSON, indented and coloured, with a button that copies it. */
import { sanitizedJson } from "../../../src/sanitize.js";
import { laidOut } from "../data/json_layout.js";
import { CopyButton } from "./copy_button.js";
import { JsonText } from "./json_text.js";

/** Shows JSON text, hidden characters as escapes; the button copies it as it came. */
export function JsonBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class="block">
      <CopyButton text={text} label={`Copy ${label}`} />
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        <JsonText text={sanitizedJson(laidOut(text))} />
      </pre>
    </div>
  );
}
