/** How full the model's window is: a small bar under the question, its parts on demand, and what happens at its end. */
import { computed, signal } from "@preact/signals";
import type { ExplainedWindow } from "../../../src/generated/wire.js";
import { explainedWindow } from "../data/explained.js";
import { branch, session, viewed } from "../data/run.js";
import { parsedDefinition } from "../data/steps.js";
import { counted } from "./amounts.js";
import { FoldOut } from "./fold_out.js";

/** From which share of the room the meter stands out: what comes next may leave something out. */
const NEARLY_FULL = 0.75;

const isOpen = signal(false);
const figures = new Intl.NumberFormat("en");

const events = computed(() => (branch.value?.steps ?? []).flatMap(({ lines }) => lines.map(({ event }) => event)));

/** How many messages and outputs were left out of prompts so far, and whether a summary stands for some. */
const leftOut = computed(() => {
  const found = { dropped: 0, shortened: 0, isSummed: false };
  for (const event of events.value) {
    if (event.kind !== "switched") continue;
    if (event.what === "prompt" || event.what === "history") {
      found.dropped += event.dropped ?? 0;
      found.shortened += event.shortened ?? 0;
    }
    if (event.what === "summary") found.isSummed = true;
  }
  return found;
});

/** The model's own count of the latest prompt, for a window that nobody declared. */
const lastPrompt = computed(() => {
  const output = events.value.findLast(({ kind }) => kind === "model_response");
  return output?.kind === "model_response" ? (output.usage?.prompt_tokens ?? undefined) : undefined;
});

export function ContextMeter() {
  if (!session.value || viewed.value !== undefined) return null;
  const use = explainedWindow.value;
  if (use) return <Meter use={use} />;
  return lastPrompt.value ? <UnknownWindow tokens={lastPrompt.value} /> : null;
}

function Meter({ use }: { use: ExplainedWindow }) {
  const share = Math.min(1, use.tokens / use.room);
  const isNearlyFull = share >= NEARLY_FULL;
  const face = (
    <span class={isNearlyFull ? "meter-face tone-corrected" : "meter-face"}>
      <Bar share={share} />
      <span class="unseen">Context: </span>
      {Math.round(share * 100)} %{isNearlyFull ? " full" : <span class="unseen"> full</span>}
    </span>
  );
  return (
    <FoldOut id="context" title="What the model is sent" isOpen={isOpen} face={face}>
      <p class="hint">
        {figures.format(use.tokens)} of {figures.format(use.room)} tokens,{" "}
        {use.counted ? "by the count of the model's server" : "estimated, rather too many than too few"}.
      </p>
      <dl class="shares">
        <Share name="Instructions" tokens={use.instructions} use={use} />
        <Share name="Tools" tokens={use.tools ?? 0} use={use} />
        <Share name="Earlier" tokens={use.earlier ?? 0} use={use} />
        <Share name="This question" tokens={use.exchange ?? 0} use={use} />
        <Share name="Free" tokens={Math.max(0, use.room - use.tokens)} use={use} isRest />
        <Share name="Kept for the answer" tokens={use.window - use.room} use={use} isRest />
      </dl>
      <p>{atTheEnd()}</p>
      <LeftOut />
    </FoldOut>
  );
}

function Bar({ share, isRest = false }: { share: number; isRest?: boolean | undefined }) {
  return (
    <span class={isRest ? "meter-bar rest" : "meter-bar"}>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}

/** One part, by its share of the whole window; none where it has nothing. */
function Share({
  name,
  tokens,
  use,
  isRest,
}: {
  name: string;
  tokens: number;
  use: ExplainedWindow;
  isRest?: boolean;
}) {
  if (tokens === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Bar share={tokens / use.window} isRest={isRest} />
      </dd>
      <dd>{figures.format(tokens)}</dd>
    </div>
  );
}

/** Says what the core does when a prompt does not fit, under the definition of this run. */
function atTheEnd(): string {
  const { policies = [] } = parsedDefinition(session.value?.definition ?? null) as { policies?: { use?: string }[] };
  const oldest = policies.some(({ use }) => use === "summary")
    ? "the model sums up the oldest messages, and the summary stands in their place"
    : "long tool results are shortened, then the oldest messages left out";
  return `When it is full, ${oldest}. Your question and the latest result stay; the log keeps everything.`;
}

function LeftOut() {
  const { dropped, shortened, isSummed } = leftOut.value;
  const parts = [
    dropped > 0 && `${counted(dropped, "message")} left out${isSummed ? " and summed up" : ""}`,
    shortened > 0 && `${counted(shortened, "tool result")} shortened`,
  ].filter(Boolean);
  return parts.length === 0 ? null : <p class="tone-corrected tone-word">So far: {parts.join(", ")}.</p>;
}

function UnknownWindow({ tokens }: { tokens: number }) {
  const face = (
    <span class="meter-face">
      <span class="unseen">Context: </span>
      {figures.format(tokens)} tokens
    </span>
  );
  return (
    <FoldOut id="context" title="What the model is sent" isOpen={isOpen} face={face}>
      <p>
        The latest prompt had {figures.format(tokens)} tokens, by the count of the model's server. Nobody has said how
        large its window is; name it in the definition as <code>models[].window_tokens</code>, and the core keeps
        prompts within it.
      </p>
    </FoldOut>
  );
}
