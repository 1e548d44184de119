/** Asks a person about calls: what will run, with which arguments; the arguments may be changed, a refusal may say why. */
import { useSignal } from "@preact/signals";
import type { Approval, ApprovalCall } from "../../../src/generated/wire.js";
import { problemsOf } from "../data/check_arguments.js";
import type { WaitingApproval } from "../data/waiting.js";
import { useFocusWhenIdle } from "./focus_when_idle.js";
import { ToneIcon } from "./icons.js";

interface Draft {
  readonly params: string;
  readonly reason: string;
}

const draftOf = (call: ApprovalCall): Draft => ({ params: JSON.stringify(call.params, null, 2), reason: "" });

export function ApprovalCard({ card }: { card: WaitingApproval }) {
  const drafts = useSignal<readonly Draft[]>(card.calls.map(draftOf));
  const problems = useSignal<readonly string[]>([]);
  const answer = async (approved: boolean): Promise<void> => {
    const found = approved
      ? await Promise.all(card.calls.map((call, index) => troubleWith(call, drafts.value[index]!)))
      : [];
    problems.value = found;
    if (found.every((problem) => problem === ""))
      card.answer(card.calls.map((call, index) => approval(call, drafts.value[index]!, approved)));
  };
  const change = (index: number, changed: Partial<Draft>): void => {
    drafts.value = drafts.value.map((draft, other) => (other === index ? { ...draft, ...changed } : draft));
  };
  return (
    <form
      class="card waiting"
      aria-labelledby={`card-${card.id}`}
      onSubmit={(event) => (event.preventDefault(), void answer(true))}
    >
      <h3 id={`card-${card.id}`}>
        <ToneIcon tone="waiting" />{" "}
        {card.calls.length === 1 ? "May this run?" : `May these ${card.calls.length} calls run?`}
      </h3>
      {card.calls.map((call, index) => (
        <CallDraft
          key={call.key}
          call={call}
          draft={drafts.value[index]!}
          problem={problems.value[index] ?? ""}
          first={index === 0}
          change={(changed) => change(index, changed)}
        />
      ))}
      <div class="buttons">
        <button class="primary">Approve and run</button>
        <button type="button" class="danger" onClick={() => void answer(false)}>
          Refuse
        </button>
      </div>
    </form>
  );
}

interface CallDraftProps {
  call: ApprovalCall;
  draft: Draft;
  problem: string;
  first: boolean;
  change: (changed: Partial<Draft>) => void;
}

function CallDraft({ call, draft, problem, first, change }: CallDraftProps) {
  const field = useFocusWhenIdle();
  const id = `approve-${call.call_id}`;
  const edited = draft.params !== draftOf(call).params;
  return (
    <div class="approve-call">
      <p>
        <code class="tool-name">{call.tool}</code> <span class="hint">{call.reason}</span>
      </p>
      <label for={`${id}-params`}>Arguments {edited && <span class="badge tone-corrected">edited</span>}</label>
      <textarea
        id={`${id}-params`}
        ref={first ? field : null}
        class="mono"
        spellcheck={false}
        rows={Math.min(draft.params.split("\n").length, 10)}
        value={draft.params}
        aria-invalid={problem !== ""}
        aria-describedby={`${id}-problem`}
        onInput={(event) => change({ params: event.currentTarget.value })}
      />
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <label for={`${id}-reason`}>
        Reason <span class="hint">for a refusal, told to the model</span>
      </label>
      <input
        id={`${id}-reason`}
        value={draft.reason}
        onInput={(event) => change({ reason: event.currentTarget.value })}
      />
    </div>
  );
}

async function troubleWith(call: ApprovalCall, draft: Draft): Promise<string> {
  return draft.params === draftOf(call).params ? "" : problemsOf(call.tool, draft.params);
}

function approval(call: ApprovalCall, draft: Draft, approved: boolean): Approval {
  const { call_id, key } = call;
  // Arguments left alone are not sent back: reading them here may have cost digits.
  const edited = approved && draft.params !== draftOf(call).params;
  return {
    call_id,
    key,
    approved,
    by: "the page's user",
    ...(edited && { params: JSON.parse(draft.params) as Record<string, unknown> }),
    ...(!approved && draft.reason !== "" && { reason: draft.reason }),
  };
}
