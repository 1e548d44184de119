/** A text of any length from outside: past a screenful or two, its beginning and a button for the rest. */
import { useSignal } from "@preact/signals";
import { counted } from "./amounts.js";
import { UntrustedText } from "./untrusted_text.js";

// Laying out hundreds of kilobytes takes the browser over a second.
const SHOWN_CHARS = 4_000;
/** Past this, also after the button: the log has all of it, to download. */
const MOST_CHARS = 100_000;

export function Long({ text }: { text: string }) {
  const whole = useSignal(false);
  const shown = whole.value ? MOST_CHARS : SHOWN_CHARS;
  if (text.length <= shown) return <UntrustedText text={text} />;
  const left = text.length - shown;
  return (
    <>
      <UntrustedText text={text.slice(0, shown)} />{" "}
      {whole.value ? (
        <span class="hint">… {counted(left, "character")} more; the log has all of them</span>
      ) : (
        <button type="button" class="quiet small" onClick={() => (whole.value = true)}>
          Show {counted(Math.min(left, MOST_CHARS - shown), "more character")}
        </button>
      )}
    </>
  );
}
