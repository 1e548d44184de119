/** A code of one's own: its editor, the hosts that it may ask, and the switch that has it run. */
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Tool } from "../../../src/agent/ports.js";
import { notify, wordsOf } from "../data/notices.js";
import type { CodeStatus, OwnCode } from "../data/own_code.js";
import { changeCode, hostsOf, printedLines, removeCode, statusOf, turnOff, turnOn } from "../data/own_code.js";
import { Icon } from "./icons.js";
import { ToolRow } from "./tool_row.js";
import { UntrustedText } from "./untrusted_text.js";

type EditorModule = typeof import("./js_editor.js");

const editor = signal<EditorModule | undefined>();

function loadEditor(): void {
  import("./js_editor.js").then(
    (loaded) => (editor.value = loaded),
    (error: unknown) => notify(`The editor could not be loaded. ${wordsOf(error)}`, "failed"),
  );
}

interface CodeCardProps {
  readonly code: OwnCode;
  readonly isShown: boolean;
  readonly show: (id: number | undefined) => void;
}

export function CodeCard({ code, isShown, show }: CodeCardProps) {
  const status = statusOf(code.id);
  return (
    <section class="added" aria-label={titleOf(code, status)}>
      <div class="added-head">
        <h3>
          <UntrustedText text={titleOf(code, status)} />
        </h3>
        <StatusBadge status={status} />
        <span class="grow" />
        <Switch code={code} status={status} />
        <button
          type="button"
          class="quiet small"
          aria-expanded={isShown}
          onClick={() => show(isShown ? undefined : code.id)}
        >
          {isShown ? "Fold" : "Edit"}
        </button>
      </div>
      {isShown && <Editing code={code} status={status} remove={() => (removeCode(code.id), show(undefined))} />}
      {status.kind === "refused" && (status.line === undefined || !isShown) && (
        <p class="problem" role="alert">
          {status.line !== undefined && `Line ${status.line}: `}
          <UntrustedText text={status.words} />
        </p>
      )}
      {status.kind === "ready" && <Made tools={status.tools} />}
      <Printed id={code.id} />
    </section>
  );
}

const titleOf = (code: OwnCode, status: CodeStatus): string =>
  status.kind === "ready" ? status.tools.map(({ spec }) => spec.name).join(", ") : `Tool ${code.id} in JavaScript`;

function StatusBadge({ status }: { status: CodeStatus }) {
  switch (status.kind) {
    case "off":
      return <span class="badge">off</span>;
    case "starting":
      return (
        <span class="badge tone-waiting" role="status">
          starting
        </span>
      );
    case "ready":
      return (
        <span class="badge tone-accepted" role="status">
          on
        </span>
      );
    case "refused":
      return <span class="badge tone-failed">not usable</span>;
  }
}

function Switch({ code: { id }, status }: { code: OwnCode; status: CodeStatus }) {
  if (status.kind === "ready" || status.kind === "starting")
    return (
      <button type="button" class="small" onClick={() => turnOff(id)}>
        Turn off
      </button>
    );
  return (
    <button type="button" class="primary small" onClick={() => void turnOn(id)}>
      Turn on
    </button>
  );
}

function Editing({ code, status, remove }: { code: OwnCode; status: CodeStatus; remove: () => void }) {
  useEffect(loadEditor, []);
  const Editor = editor.value?.JsEditor;
  return (
    <>
      {Editor ? (
        <Editor
          text={code.source}
          label={`Tool ${code.id}`}
          problem={status.kind === "refused" ? status : undefined}
          onText={(source) => changeCode(code.id, { source })}
        />
      ) : (
        <div class="editor code-editor" />
      )}
      <Hosts code={code} />
      <p class="hint">
        It runs in a sandbox without this page, its storage or a network. <code>z</code> is zod, and a JSON Schema does
        as well. The model reads what it throws.
      </p>
      <div class="buttons">
        <button type="button" class="quiet small" onClick={remove}>
          <Icon name="close" /> Remove
        </button>
      </div>
    </>
  );
}

function Hosts({ code }: { code: OwnCode }) {
  const typed = useSignal(code.hosts);
  const hosts = hostsOf(typed.value);
  return (
    <div class="fields">
      <label for={`hosts-${code.id}`}>
        Hosts it may ask{" "}
        <span class="hint">{hosts.length === 0 ? "none, unless you name them" : hosts.join(", ")}</span>
      </label>
      <input
        id={`hosts-${code.id}`}
        value={typed.value}
        placeholder="api.example.com"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          changeCode(code.id, { hosts: currentTarget.value });
        }}
      />
    </div>
  );
}

function Made({ tools }: { tools: readonly Tool[] }) {
  return (
    <ul class="added-tools">
      {tools.map(({ spec }) => (
        <li key={spec.name}>
          <ToolRow spec={spec} />
        </li>
      ))}
    </ul>
  );
}

/** What the code printed, for whoever writes it. */
function Printed({ id }: { id: number }) {
  const lines = printedLines.value.get(id) ?? [];
  if (lines.length === 0) return null;
  return (
    <pre class="code printed" tabIndex={0} role="region" aria-label="What it printed">
      <UntrustedText text={lines.join("\n")} />
    </pre>
  );
}
