/** The agent: presets to begin with, its definition to edit, and what the core says of it. */
import { useRef } from "preact/hooks";
import { definitionVerdict } from "../data/definition.js";
import type { Verdict } from "../data/definition.js";
import { download } from "../data/logs.js";
import { notify, wordsOf } from "../data/notices.js";
import { editedDefinition, isOwn, ownDefinition, presetId, replaceDefinition } from "../data/preferences.js";
import { closeSession, running, session } from "../data/run.js";
import { setOutputs } from "../models/scripted.js";
import type { Preset } from "../presets.js";
import { definitionText, PRESETS } from "../presets.js";
import { bytes } from "./amounts.js";
import { Icon } from "./icons.js";
import { playPreset } from "./play_preset.js";
import { InstructionsField } from "./instructions_field.js";
import { ToolsButton } from "./tools_dialog.js";
import { goToProblem, LazyEditor } from "./lazy_editor.js";

export function takePreset(preset: Preset): void {
  presetId.value = preset.id;
  replaceDefinition(definitionText(preset));
  setOutputs(preset.script);
  if (!running.value) closeSession();
}

export function DefinitionCard() {
  const card = useRef<HTMLElement>(null);
  return (
    <section class="panel grow-panel" aria-labelledby="agent-title" id="agent" ref={card}>
      <h2 id="agent-title">Agent</h2>
      <div class="presets" role="group" aria-label="Agents to begin with">
        {PRESETS.map((preset) => (
          <button
            type="button"
            key={preset.id}
            class="chip"
            title={preset.summary}
            aria-pressed={presetId.value === preset.id}
            onClick={() => takePreset(preset)}
          >
            {preset.title}
          </button>
        ))}
        <OwnChip />
      </div>
      <Question />
      <InstructionsField />
      <ToolsButton />
      <p class="field-name">All of it, as JSON</p>
      <LazyEditor />
      <VerdictLine verdict={definitionVerdict.value} go={() => goToProblem(card.current)} />
      <Files />
      <NewRun />
    </section>
  );
}

/** What the preset in the editor is asked, and by whom. */
function Question() {
  const preset = PRESETS.find(({ id }) => id === presetId.value);
  if (!preset || isOwn.value || preset.story?.isOnlyRecorded) return null;
  return (
    <div class="preset-question">
      <p class="hint">“{preset.question}”</p>
      <button type="button" class="small" disabled={running.value} onClick={() => playPreset(preset)}>
        Play it with a script
      </button>
    </div>
  );
}

/** The way back to one's own definition. */
function OwnChip() {
  if (!isOwn.value && ownDefinition.value === "") return null;
  return (
    <button
      type="button"
      class="chip"
      title="The definition that you wrote"
      aria-pressed={isOwn.value}
      onClick={() => !isOwn.value && replaceDefinition(ownDefinition.value)}
    >
      Yours
    </button>
  );
}

// Far more than any definition: a wrong file must not hold the page up.
const MAX_FILE_BYTES = 1_000_000;

async function take(file: File): Promise<void> {
  if (file.size > MAX_FILE_BYTES) {
    notify(`${file.name} has ${bytes(file.size)}; a definition has at most ${bytes(MAX_FILE_BYTES)}.`, "failed");
    return;
  }
  replaceDefinition(await file.text());
}

/** Opens a definition from a file, and saves the one in the editor. */
function Files() {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div class="buttons">
      <button type="button" class="quiet small" onClick={() => file.current?.click()}>
        <Icon name="open" /> Open a definition
      </button>
      <button
        type="button"
        class="quiet small"
        onClick={() => download("agent.json", editedDefinition.value, "application/json")}
      >
        <Icon name="download" /> Save it
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,.txt"
        aria-label="Open a definition file"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = ""; // the same file may be chosen again
          if (chosen) void take(chosen).catch((error: unknown) => notify(wordsOf(error), "failed"));
        }}
      />
    </div>
  );
}

function VerdictLine({ verdict, go }: { verdict: Verdict; go: () => void }) {
  switch (verdict.kind) {
    case "checking":
      return (
        <p class="verdict-line hint" role="status">
          The core is loading; then it checks the definition.
        </p>
      );
    case "holds":
      return (
        <p class="verdict-line tone-accepted" role="status">
          <span class="dot" /> Valid <code class="hint">{verdict.digest.slice(0, 12)}</code>
        </p>
      );
    case "refused":
      return (
        <p class="verdict-line tone-failed" role="alert">
          <span class="dot" />
          <button type="button" class="link" onClick={go}>
            Line {verdict.problem.line}, column {verdict.problem.column}
          </button>
          <span>{verdict.problem.message}</span>
        </p>
      );
  }
}

/** The run keeps the definition it began with; a changed one holds for the next. */
function NewRun() {
  const now = session.value;
  if (!now || (now.edited ?? now.definition) === editedDefinition.value) return null;
  return (
    <p class="note">
      <span>
        This run keeps the definition that it started with.{" "}
        <button type="button" class="link" disabled={running.value} onClick={closeSession}>
          Start a new run
        </button>{" "}
        to use this one.
      </span>
    </p>
  );
}
