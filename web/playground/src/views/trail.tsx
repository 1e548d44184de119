/** The trail of a run: the timeline of steps, and the log. */
import { branch, running, session, showBranch } from "../data/run.js";
import type { Branch } from "../data/steps.js";
import { ComparePane } from "./compare_pane.js";
import { Icon } from "./icons.js";
import { LogPane } from "./log_pane.js";
import { Timeline } from "./timeline.js";
import type { TrailTab } from "./trail_tab.js";
import { trailTab } from "./trail_tab.js";

const TABS: readonly [TrailTab, string][] = [
  ["timeline", "Timeline"],
  ["log", "Log"],
  ["compare", "Compare"],
];

export function Trail() {
  const tab = trailTab.value;
  return (
    <section class="view trail" id="trail" aria-label="What happened">
      <div class="trail-head">
        <div class="tabs" role="group" aria-label="Show">
          {TABS.map(([name, title]) => (
            <button type="button" key={name} aria-pressed={tab === name} onClick={() => (trailTab.value = name)}>
              {title}
            </button>
          ))}
        </div>
        <Branches />
      </div>
      {tab === "timeline" && <Timeline />}
      {tab === "log" && <LogPane />}
      {tab === "compare" && <ComparePane />}
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
