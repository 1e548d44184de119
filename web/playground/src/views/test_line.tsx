/** On a model's card: the test, how far it is, and the profile in use that one found. */
import { modelTest, testing } from "../data/probe.js";
import { modelStatus } from "../models/choice.js";
import { profiles, removeProfile } from "../models/profiles.js";
import type { SourceId } from "../models/source.js";
import { showTest } from "./test_dialog.js";
import { constraintWords } from "./way_words.js";

export function TestLine({ id }: { id: SourceId }) {
  const profile = profiles.value[id];
  const standing = testing.value ? modelTest.value?.standing : undefined;
  const status = modelStatus.value;
  const isOfAnother = profile && status.kind === "ready" && status.model.name !== profile.name;
  return (
    <div class="test-line">
      {profile && (
        <p class="ready tone-accepted">
          <span class="dot" />
          <span>
            As tested: <span class="mono">{profile.dialect}</span>, {constraintWords(profile.supports?.[0] ?? "none")}
            {isOfAnother && <span class="hint"> (only for {profile.name})</span>}
          </span>
          <button type="button" class="quiet small" onClick={() => removeProfile(id)}>
            Remove
          </button>
        </p>
      )}
      <button type="button" class="wide" onClick={showTest}>
        {testing.value ? `Testing${standing ? `: ${standing.ended} of ${standing.runs}` : ""}…` : "Test this model"}
      </button>
    </div>
  );
}
