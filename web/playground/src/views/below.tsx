/** What agents that a call has led to are writing, folded: a reader opens it, and nobody takes it for the answer. */
import { useSignal } from "@preact/signals";
import { viewed } from "../data/run.js";
import { streamedBelow } from "../data/streamed_below.js";
import { counted } from "./amounts.js";
import { UntrustedText } from "./untrusted_text.js";

export function Below({ call_id }: { call_id: string }) {
  const isOpen = useSignal(false); // for all that comes below the call: an agent writes several outputs
  if (viewed.value !== undefined) return null;
  const written = [...streamedBelow.value].filter(([, each]) => each.call_id === call_id && each.text !== "");
  return (
    <>
      {written.map(([runId, { path, text }]) => (
        <details
          class="because below"
          key={runId}
          open={isOpen.value}
          onToggle={(event) => (isOpen.value = event.currentTarget.open)}
        >
          <summary>
            <UntrustedText text={path.join(" > ")} /> writes, {counted([...text].length, "character")}
          </summary>
          <p>
            <UntrustedText text={text} />
          </p>
        </details>
      ))}
    </>
  );
}
