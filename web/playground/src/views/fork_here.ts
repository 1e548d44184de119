/** Makes forks of the run on show, and shows what came of it. */
import { showRefusedFork } from "../data/comparing.js";
import { forkShown } from "../data/forking.js";
import { announce } from "../data/notices.js";
import { showView } from "./layout.js";
import { trailTab } from "./trail_tab.js";

/** Forks the run at the step on show; where the definition decides otherwise before it, the difference is shown. */
export async function forkHere(definition: string | null): Promise<boolean> {
  const refused = await forkShown(definition);
  if (refused) {
    showRefusedFork(refused);
    trailTab.value = "compare";
    showView("trail");
    announce(`Nothing was forked: the runs differ at line ${refused.line}`);
    return false;
  }
  showView("chat");
  announce("This is a fork: a new run with an id and keys of its own");
  return true;
}
