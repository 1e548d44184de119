/** The trail of a run: the timeline of steps, and the log. */
import { signal } from "@preact/signals";
import { branch, running, session, showBranch } from "../data/run.js";
import type { Branch } from "../data/steps.js";
import { Icon } from "./icons.js";
import { LogPane } from "./log_pane.js";
import { Timeline } from "./timeline.js";

export const trailTab = signal<"timeline" | "log">("timeline");

export function Trail() {
  const tab = trailTab.value;
  return (
    <section class="view trail" id="trail" aria-label="What happened">
      <div class="trail-head">
        <div class="tabs" role="group" aria-label="Show">
          <button type="button" aria-pressed={tab === "timeline"} onClick={() => (trailTab.value = "timeline")}>
            Timeline
          </button>
          <button type="button" aria-pressed={tab === "log"} onClick={() => (trailTab.value = "log")}>
            Log
          </button>
        </div>
        <Branches />
      </div>
      {tab === "timeline" ? <Timeline /> : <LogPane />}
    </section>
  );
}

function Branches() {
  const branches = session.value?.branches ?? [];
  if (branches.length < 2) return null;
  return (
    <div class="branches" role="group" aria-label="Branches">
      {branches.map((each) => (
        <button
          type="button"
          class="chip"
          key={each.id}
          disabled={running.value}
          aria-pressed={each.id === branch.value?.id}
          onClick={() => showBranch(each.id)}
        >
          <Icon name="branch" /> {each.name}
          <span class="hint">{originWords(each)}</span>
        </button>
      ))}
    </div>
  );
}

function originWords({ parent, steps }: Branch): string {
  return parent ? `from step ${parent.steps}` : `${steps.length} steps`;
}
