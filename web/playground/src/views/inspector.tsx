/** The details of a step: the exact prompt, state, transcript and decision, each to copy. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { modelRequest } from "../../../src/agent/model_request.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import type { ChatMessage } from "../../../src/agent/ports.js";
import type { CallModel, Message } from "../../../src/generated/wire.js";
import { contentText } from "../data/content_text.js";
import { derivedAt, derivedSteps, knownOf } from "../data/derived_steps.js";
import { notify, wordsOf } from "../data/notices.js";
import { branch } from "../data/run.js";
import type { DerivedStep } from "../data/steps.js";
import { CopyButton } from "./copy_button.js";
import { Icon } from "./icons.js";
import { JsonBlock } from "./json_block.js";
import { PageDialog } from "./page_dialog.js";
import { UntrustedText } from "./untrusted_text.js";

type Tab = "prompt" | "state" | "transcript" | "decision";

const TABS: readonly [Tab, string][] = [
  ["prompt", "Prompt"],
  ["state", "State"],
  ["transcript", "Transcript"],
  ["decision", "Decision"],
];

const lookedAt = signal<{ index: number; tab: Tab } | undefined>();

export function inspect(index: number, tab: Tab = "state"): void {
  lookedAt.value = { index, tab };
}

export function Inspector() {
  const steps = branch.value?.steps ?? [];
  const { index, tab } = lookedAt.value ?? { index: 0, tab: "state" };
  const walk = { tab, count: steps.length };
  return (
    <PageDialog
      isOpen={lookedAt.value !== undefined}
      onClose={() => (lookedAt.value = undefined)}
      title={
        <>
          Step {index + 1} <span class="hint">of {steps.length}</span>
        </>
      }
      before={
        <>
          <Walk to={index - 1} {...walk} icon="back" label="Step before" />
          <Walk to={index + 1} {...walk} icon="forward" label="Step after" />
        </>
      }
      tabs={<Tabs index={index} tab={tab} />}
    >
      <Inside index={index} tab={tab} />
    </PageDialog>
  );
}

function Tabs({ index, tab }: { index: number; tab: Tab }) {
  return (
    <div class="tabs" role="group" aria-label="Show">
      {TABS.map(([name, title]) => (
        <button type="button" key={name} aria-pressed={name === tab} onClick={() => inspect(index, name)}>
          {title}
        </button>
      ))}
    </div>
  );
}

function Inside({ index, tab }: { index: number; tab: Tab }) {
  void derivedSteps.value;
  const steps = branch.value?.steps ?? [];
  const found = steps[index] && knownOf(steps[index]);
  useEffect(() => {
    if (steps[index]) derivedAt(steps, index).catch((error: unknown) => notify(wordsOf(error), "failed"));
  }, [steps, index]);
  return found ? <Pane tab={tab} found={found} /> : <p class="hint">The core is deriving this step.</p>;
}

function Walk({
  to,
  tab,
  count,
  icon,
  label,
}: {
  to: number;
  tab: Tab;
  count: number;
  icon: "back" | "forward";
  label: string;
}) {
  // Not disabled: the keyboard would lose its place at the last step.
  const isEnd = to < 0 || to >= count;
  return (
    <button
      type="button"
      class="quiet icon-only"
      aria-label={label}
      title={label}
      aria-disabled={isEnd}
      onClick={() => !isEnd && inspect(to, tab)}
    >
      <Icon name={icon} />
    </button>
  );
}

function Pane({ tab, found }: { tab: Tab; found: DerivedStep }) {
  switch (tab) {
    case "prompt":
      return <Prompt found={found} />;
    case "state":
      return <JsonBlock text={found.state} label="state" />;
    case "transcript":
      return <Messages messages={found.messages} label="transcript" />;
    case "decision":
      return <JsonBlock text={found.decision_json} label="decision" />;
  }
}

function Prompt({ found }: { found: DerivedStep }) {
  if (found.decision.type !== "call_model") {
    return (
      <p class="hint">This step does not ask the model. Its decision is {found.decision.type.replaceAll("_", " ")}.</p>
    );
  }
  const { messages, ...constraints } = modelRequest(found.decision, saidTo(found.decision, found));
  return (
    <>
      <Messages messages={messages} label="prompt" />
      <h3>Constraints</h3>
      <JsonBlock text={writeExactly(constraints)} label="constraints" />
    </>
  );
}

function textOf({ content }: Message | ChatMessage): string | undefined {
  return content === undefined || content === null ? undefined : contentText(content);
}

function Messages({ messages, label }: { messages: readonly (Message | ChatMessage)[]; label: string }) {
  return (
    <div class="block">
      <CopyButton text={writeExactly(messages, 2)} label={`Copy ${label}`} />
      <ol class="messages">
        {messages.map((message, index) => (
          <li key={index} class={`message role-${message.role}`}>
            <span class="role">{message.role}</span>
            <pre class="message-text">
              <UntrustedText text={textOf(message) ?? writeExactly(message.tool_calls ?? null, 2)} />
            </pre>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The transcript that a decision names: the run's, or that of the agent that asks. */
function saidTo({ run_id }: CallModel, { messages, children }: DerivedStep): readonly Message[] {
  return run_id === undefined ? messages : (children[run_id] ?? []);
}
