/** A run as a program in Python or JavaScript, to read and to copy. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { codeOf } from "../data/code_of_run.js";
import type { Language } from "../data/code_of_run.js";
import { readLines } from "../data/steps.js";
import { toldRun } from "../data/told_run.js";
import { CopyButton } from "./copy_button.js";
import { Icon } from "./icons.js";

type Programs = Readonly<Record<Language, string>>;

const LANGUAGES: readonly Language[] = ["Python", "JavaScript"];
const open = signal<Programs | undefined>();

/** Shows the run of a log as a program. */
export function showCode(log: string): void {
  const run = toldRun(readLines(log));
  open.value = { Python: codeOf("Python", run), JavaScript: codeOf("JavaScript", run) };
}

export function CodeDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open.value]);
  return (
    <dialog class="inspector" ref={dialog} aria-labelledby="code-title" onClose={() => (open.value = undefined)}>
      {open.value && <Inside programs={open.value} />}
    </dialog>
  );
}

function Inside({ programs }: { programs: Programs }) {
  const language = useSignal<Language>("Python");
  const text = programs[language.value];
  return (
    <>
      <div class="dialog-head">
        <h2 id="code-title">The same in code</h2>
        <div class="tabs" role="group" aria-label="Language">
          {LANGUAGES.map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={language.value === name}
              onClick={() => (language.value = name)}
            >
              {name}
            </button>
          ))}
        </div>
        <span class="grow" />
        <button type="button" class="quiet icon-only" aria-label="Close" onClick={() => (open.value = undefined)}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">
        <p class="hint">
          {language.value === "Python" ? 'pip install "purestep-hosts[openai]"' : "npm install purestep"}. The tools
          return what they returned in this run; write your own in their place.
        </p>
        <div class="block">
          <CopyButton text={text} label={`Copy the ${language.value}`} />
          <pre class="code whole" tabIndex={0} role="region" aria-label={`${language.value} program`}>
            {text}
          </pre>
        </div>
      </div>
    </>
  );
}
