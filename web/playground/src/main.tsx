/** Starts the page. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { core_is_ready, core_ready } from "./core/load_core.js";
import { watch_definition } from "./data/definition.js";
import { restore_preferences, theme } from "./data/preferences.js";
import { choose, chosen, find_troubles } from "./models/choice.js";
import "./styles/index.css";
import { restrict_script_urls } from "./trusted_types.js";
import { App } from "./views/app.js";
import { find_offers } from "./views/resume_offers.js";

restrict_script_urls();
restore_preferences();
effect(() => void (document.documentElement.dataset["theme"] = theme.value));
render(<App />, document.getElementById("page")!);
void core_ready().catch(() => undefined); // the page shows what went wrong
watch_definition();
void find_troubles();
effect(() => {
  if (core_is_ready.value) void find_offers();
});
choose(chosen.value);
