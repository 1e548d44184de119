/** The page: set-up, conversation and trail side by side, or one of them on a narrow screen. */
import { waiting } from "../data/waiting.js";
import { Chat } from "./chat.js";
import { CoreCard } from "./core_card.js";
import { DefinitionCard } from "./definition_card.js";
import { Header } from "./header.js";
import { Inspector } from "./inspector.js";
import type { View } from "./layout.js";
import { showView, view } from "./layout.js";
import { ModelCard } from "./model_card.js";
import { NoticeList } from "./notice_list.js";
import { TestDialog } from "./test_dialog.js";
import { Trail } from "./trail.js";

const VIEWS: readonly [View, string][] = [
  ["setup", "Setup"],
  ["chat", "Chat"],
  ["trail", "Timeline"],
];

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
      <main class={`parts shows-${view.value}`}>
        <section class="view setup" id="setup" aria-label="Setup">
          <ModelCard />
          <DefinitionCard />
          <CoreCard />
        </section>
        <Chat />
        <Trail />
      </main>
      <Inspector />
      <TestDialog />
      <NoticeList />
    </>
  );
}
