/** The page: set-up, conversation and trail side by side, or one of them on a narrow screen. */
import { session } from "../data/run.js";
import { waiting } from "../data/waiting.js";
import { Chat } from "./chat.js";
import { CodeDialog } from "./code_dialog.js";
import { PhoneDialog } from "./phone_dialog.js";
import { CoreCard } from "./core_card.js";
import { DefinitionCard } from "./definition_card.js";
import { Header } from "./header.js";
import { Inspector } from "./inspector.js";
import type { View } from "./layout.js";
import { settingsOpen, showView, view } from "./layout.js";
import { ModelCard } from "./model_card.js";
import { NoticeList } from "./notice_list.js";
import { SideBySideDialog } from "./side_by_side.js";
import { TestDialog } from "./test_dialog.js";
import { ToolsDialog } from "./tools_dialog.js";
import { Trail } from "./trail.js";

const VIEWS: readonly [View, string][] = [
  ["setup", "Setup"],
  ["chat", "Chat"],
  ["trail", "Timeline"],
];

/** The settings, and what happened, stand beside the conversation once there is something to see. */
function partsClass(): string {
  const first = session.value === undefined && !settingsOpen.value && view.value === "chat";
  const trail = session.value !== undefined || settingsOpen.value || view.value === "trail";
  return [
    `parts shows-${view.value}`,
    ...(first ? ["first"] : []),
    ...(settingsOpen.value ? ["with-settings"] : []),
    ...(trail ? ["with-trail"] : []),
  ].join(" ");
}

let isOpened = false;

/** Whether the settings have been open: before, nothing of them is loaded, and after, nothing of them is forgotten. */
function wasOpened(): boolean {
  isOpened ||= settingsOpen.value || view.value === "setup";
  return isOpened;
}

export function App() {
  return (
    <>
      <Header />
      <nav class="views" aria-label="Parts of the page">
        {VIEWS.map(([name, title]) => (
          <button type="button" key={name} aria-pressed={view.value === name} onClick={() => showView(name)}>
            {title}
            {name === "chat" && waiting.value.length > 0 && <span class="dot tone-waiting" title="waits for you" />}
          </button>
        ))}
      </nav>
      <main class={partsClass()}>
        <section class="view setup" id="setup" aria-label="Setup">
          {wasOpened() && (
            <>
              <ModelCard />
              <DefinitionCard />
              <CoreCard />
            </>
          )}
        </section>
        <Chat />
        <Trail />
      </main>
      <Inspector />
      <TestDialog />
      <ToolsDialog />
      <CodeDialog />
      <PhoneDialog />
      <SideBySideDialog />
      <NoticeList />
    </>
  );
}
