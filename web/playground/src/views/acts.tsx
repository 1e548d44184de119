/** What may have been changed, under each ending: the calls themselves, whatever the answer says of them. */
import type { ToldActs } from "../../../src/agent/acts.js";
import type { Act } from "../../../src/generated/wire.js";
import { actName, actWords } from "../data/act_words.js";
import { goToCall } from "./go_to.js";
import { UntrustedText } from "./untrusted_text.js";

export function Acts({ told: { acts, acts_left_out = 0 } }: { told: ToldActs }) {
  if (acts === undefined) return null;
  if (acts.length === 0) return <p class="acts hint">Changed nothing</p>;
  return (
    <section class="acts" aria-label="What may have been changed">
      <p class="hint">{acts.some(mayHaveActed) ? "Changed" : "Changed nothing. Asked for, and not done:"}</p>
      <ul>
        {acts.map((act, at) => (
          <li key={at} class={`act-${act.status}`}>
            <Tool act={act} /> <UntrustedText text={actWords(act)} />
            {act.status !== "succeeded" && <b> ({act.status})</b>}
          </li>
        ))}
        {acts_left_out > 0 && <li>and {acts_left_out} more</li>}
      </ul>
    </section>
  );
}

function mayHaveActed({ status }: Act): boolean {
  return status === "succeeded" || status === "unknown" || status === "failed";
}

/** A call that was refused may stand nowhere: nobody was asked about it. Those of agents stand in the timeline alone. */
function Tool({ act }: { act: Act }) {
  if (act.status === "refused" || act.path) return <UntrustedText text={actName(act)} />;
  return (
    <button type="button" class="link" title="Go to the call" onClick={() => goToCall(act.call_id)}>
      <UntrustedText text={act.tool} />
    </button>
  );
}
