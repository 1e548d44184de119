/** What can be done with a run that has come to its end: ask a model the same, take it along, or show it to somebody. */
import { useSignal } from "@preact/signals";
import { download } from "../data/logs.js";
import { announce, notify, wordsOf } from "../data/notices.js";
import { branch, closeSession, running, session, viewed } from "../data/run.js";
import { linkTo } from "../data/shared_link.js";
import { logText, titleOf } from "../data/steps.js";
import { chosenSource } from "../models/choice.js";
import { showCode } from "./code_dialog.js";
import { send } from "./composer.js";
import { Icon } from "./icons.js";
import { runIsUnfinished } from "./run_bars.js";
import { showSideBySide } from "./side_by_side.js";

export function AfterRun() {
  const now = session.value;
  const steps = branch.value?.steps ?? [];
  if (!now || running.value || viewed.value !== undefined || steps.length === 0 || runIsUnfinished.value) return null;
  const log = (): string => logText(branch.value!.steps);
  return (
    <div class="after-run" role="group" aria-label="What you can do with this run">
      {now.script && now.opened === undefined && (
        <button type="button" class="small" onClick={askTheSame}>
          Ask {chosenSource().title} the same
        </button>
      )}
      <button type="button" class="small" onClick={showSideBySide}>
        Ask two models side by side
      </button>
      <button type="button" class="small" onClick={() => showCode(log())}>
        Copy as Python or JavaScript
      </button>
      <ShareButton key={`${now.id} ${steps.length}`} log={log} />
      <button type="button" class="small" onClick={() => download(`${now.run_id}.jsonl`, log())}>
        <Icon name="download" /> Save as a file
      </button>
    </div>
  );
}

/** Puts the question of a played run to the model that is chosen, in a run of its own. */
function askTheSame(): void {
  const question = titleOf(branch.value!.steps);
  closeSession();
  void send(question);
}

/** Copies the link; where the browser does not let it, the link stands there to be copied by hand. */
function ShareButton({ log }: { log: () => string }) {
  const link = useSignal("");
  const said = useSignal("");
  const share = async (): Promise<void> => {
    try {
      link.value = await linkTo("shared.jsonl", log());
      await navigator.clipboard.writeText(link.value);
      said.value = "The link is copied. It holds the whole run: whoever opens it reads all that was said.";
    } catch (error) {
      if (link.value === "") return notify(wordsOf(error), "failed");
      said.value = "Copy this link. It holds the whole run: whoever opens it reads all that was said.";
    }
    announce(said.value);
  };
  return (
    <>
      <button type="button" class="small" onClick={() => void share()}>
        <Icon name="link" /> Share by a link
      </button>
      {link.value !== "" && (
        <p class="share">
          <span class="hint">{said.value}</span>
          <input
            class="mono"
            readOnly
            value={link.value}
            aria-label="Link to this run"
            onFocus={(event) => event.currentTarget.select()}
          />
        </p>
      )}
    </>
  );
}
