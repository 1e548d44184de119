/** Copies a text, and says whether that worked. */
import { useSignal } from "@preact/signals";
import { announce } from "../data/notices.js";
import { Icon } from "./icons.js";

const SAID_MS = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { said, copy } = useCopy(text);
  return (
    <button type="button" class="copy quiet small" aria-label={label} title={label} onClick={() => void copy()}>
      {said || <Icon name="copy" />}
    </button>
  );
}

/** The same as a button of its own, with words on it. */
export function CopyTextButton({ text, words }: { text: string; words: string }) {
  const { said, copy } = useCopy(text);
  return (
    <button type="button" onClick={() => void copy()}>
      <Icon name="copy" /> {said || words}
    </button>
  );
}

function useCopy(text: string): { said: string; copy: () => Promise<void> } {
  const said = useSignal("");
  const copy = async (): Promise<void> => {
    said.value = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not allowed here",
    );
    announce(said.value);
    setTimeout(() => (said.value = ""), SAID_MS);
  };
  return { said: said.value, copy };
}
