/** Copies a text, and says whether that worked. */
import { useSignal } from "@preact/signals";
import { announce } from "../data/notices.js";
import { Icon } from "./icons.js";

const SAID_MS = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    said.value = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not allowed here",
    );
    announce(said.value);
    setTimeout(() => (said.value = ""), SAID_MS);
  };
  return (
    <button type="button" class="copy quiet small" aria-label={label} title={label} onClick={() => void copy()}>
      {said.value || <Icon name="copy" />}
    </button>
  );
}
