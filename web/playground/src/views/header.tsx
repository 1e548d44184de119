/** The top of the page: what it is, how the core does, and light or dark. */
import { coreStatus } from "../core/load_core.js";
import type { CoreStatus } from "../core/load_core.js";
import { isDark, theme } from "../data/preferences.js";
import { bytes, milliseconds } from "./amounts.js";
import { Icon } from "./icons.js";
import { isNarrow, settingsOpen, showView, turnSettings, view } from "./layout.js";

export function Header() {
  return (
    <header class="top">
      <a class="skip" href="#question">
        Skip to the question
      </a>
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M8 22h6v-6h6v-6h5" />
        <circle cx="25" cy="10" r="2.6" />
      </svg>
      <h1 id="headline">purestep</h1>
      <span class="top-word">playground</span>
      <span class="grow" />
      <CorePill status={coreStatus.value} />
      <SettingsButton />
      <ThemeButton />
    </header>
  );
}

function CorePill({ status }: { status: CoreStatus }) {
  const [tone, words] = pillWords(status);
  return (
    <button type="button" class={`pill tone-${tone}`} onClick={() => showView("setup", "#core")}>
      <span class="dot" />
      <span>
        <span class="roomy-word">Core </span>
        {words}
      </span>
    </button>
  );
}

function pillWords(status: CoreStatus): [string, string] {
  switch (status.kind) {
    case "loading":
      return ["waiting", status.progress ? `${bytes(status.progress.loadedBytes)}` : "loading"];
    case "ready":
      return ["accepted", `ready in ${milliseconds(status.report.totalMs)}`];
    case "failed":
      return ["failed", "failed"];
  }
}

function SettingsButton() {
  const isOpen = isNarrow.value ? view.value === "setup" : settingsOpen.value;
  return (
    <button type="button" class="quiet" aria-expanded={isOpen} aria-controls="setup" onClick={turnSettings}>
      <Icon name="settings" /> <span class="wide-word">Settings</span>
    </button>
  );
}

function ThemeButton() {
  const dark = isDark.value;
  const label = dark ? "Switch to light" : "Switch to dark";
  return (
    <button
      type="button"
      class="quiet icon-only"
      aria-label={label}
      title={label}
      onClick={() => (theme.value = dark ? "light" : "dark")}
    >
      <Icon name={dark ? "sun" : "moon"} />
    </button>
  );
}
