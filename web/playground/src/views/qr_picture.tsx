/** A text as a QR code. */
import { encodeQR } from "qr";

/** The quiet zone that a code needs around it, in modules. */
const BORDER = 4;
/** Up to here a code of the level `medium` is as easy to read as one of `low`, and stands a smear. */
const MEDIUM_CHARS = 660;

export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { ecc: text.length <= MEDIUM_CHARS ? "medium" : "low", border: BORDER });
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={rows.map(rowPath).join("")} />
    </svg>
  );
}

/** The dark runs of a row. */
function rowPath(row: readonly boolean[], y: number): string {
  const runs = row.map((dark) => (dark ? "x" : " ")).join("");
  return Array.from(runs.matchAll(/x+/g), ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join(
    "",
  );
}
