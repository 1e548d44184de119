/** A run as a program in Python or JavaScript, to read and to copy. */
import { signal } from "@preact/signals";
import { codeOf } from "../data/code_of_run.js";
import type { Language } from "../data/code_of_run.js";
import { readLines } from "../data/steps.js";
import { toldRun } from "../data/told_run.js";
import { CopyButton } from "./copy_button.js";
import { PageDialog } from "./page_dialog.js";

type Programs = Readonly<Record<Language, string>>;

const LANGUAGES: readonly Language[] = ["Python", "JavaScript"];
const open = signal<Programs | undefined>();
const language = signal<Language>("Python");

/** Shows the run of a log as a program. */
export function showCode(log: string): void {
  const run = toldRun(readLines(log));
  language.value = "Python";
  open.value = { Python: codeOf("Python", run), JavaScript: codeOf("JavaScript", run) };
}

export function CodeDialog() {
  const programs = open.value;
  return (
    <PageDialog
      isOpen={programs !== undefined}
      onClose={() => (open.value = undefined)}
      title="The same in code"
      beside={<Languages />}
    >
      {programs && <Program text={programs[language.value]} />}
    </PageDialog>
  );
}

function Languages() {
  return (
    <div class="tabs" role="group" aria-label="Language">
      {LANGUAGES.map((name) => (
        <button type="button" key={name} aria-pressed={language.value === name} onClick={() => (language.value = name)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Program({ text }: { text: string }) {
  return (
    <>
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
    </>
  );
}
