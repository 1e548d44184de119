/** Starts the page. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { coreIsReady, coreReady } from "./core/load_core.js";
import { watchDefinition } from "./data/definition.js";
import { watchExplained } from "./data/explained.js";
import { keepPage } from "./data/keep_page.js";
import { loadMarkdown } from "./data/markdown_lexer.js";
import { startOwnCode } from "./data/own_code.js";
import { watchTestedModel } from "./data/probe.js";
import { restorePreferences, theme } from "./data/preferences.js";
import { watchReading } from "./data/read_ahead.js";
import { watchSpeed } from "./data/watch_speed.js";
import { choose, chosen, findTroubles } from "./models/choice.js";
import "./styles/index.css";
import { restrictScriptUrls } from "./trusted_types.js";
import { App } from "./views/app.js";
import { keepFocus } from "./views/keep_focus.js";
import { watchLinkedLog } from "./views/log_pane.js";
import { findOffers } from "./views/resume_offers.js";

restrictScriptUrls();
restorePreferences();
effect(() => void (document.documentElement.dataset["theme"] = theme.value));
// In tasks of their own, so that none is long: the page is drawn before the core's worker takes the processor from it.
const rest: readonly (() => void)[] = [
  () => render(<App />, document.getElementById("page")!),
  () => void coreReady().catch(() => undefined), // the page shows what went wrong
  watchDefinition,
  watchTestedModel,
  watchReading,
  watchSpeed,
  watchExplained,
  startOwnCode,
  findTroubles,
  () => effect(() => void (coreIsReady.value && findOffers())),
  () => choose(chosen.value),
  watchLinkedLog,
  loadMarkdown,
  keepPage,
  keepFocus,
];
for (const start of rest) setTimeout(start);
