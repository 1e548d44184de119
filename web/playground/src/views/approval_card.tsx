/**
 * Asks a person about calls, one by one: what will run, with all of its arguments, which may be edited.
 *
 * Approving takes an act of its own: no key approves from a field, and a click or key meant for what stood here before
 * is ignored.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AskedCall } from "../../../src/agent/ports.js";
import type { Approval } from "../../../src/generated/wire.js";
import { problemsOf } from "../data/check_arguments.js";
import { approval, isEdited, refusal, shownArguments } from "../data/decided_calls.js";
import { storyOnShow } from "../data/story_on_show.js";
import type { WaitingApproval } from "../data/waiting.js";
import { AskedCallFacts, outsideOf } from "./asked_call.js";
import { bringFocus, useFocusWhenIdle } from "./focus_when_idle.js";
import { goToCall } from "./go_to.js";
import { Icon, ToneIcon } from "./icons.js";
import { JsonText } from "./json_text.js";
import { CLEAR_REASON, DecideButtons } from "./decide_buttons.js";
import { askPhone } from "./phone_dialog.js";

/** How long after a change of the card nothing is approved: a double click or a held key ends well before. */
const GUARD_MS = 500;

export function ApprovalCard({ card }: { card: WaitingApproval }) {
  const answers = useSignal<readonly (Approval | undefined)[]>(card.calls.map(() => undefined));
  const guarded = useGuard(answers.value);
  const body = useRef<HTMLDivElement>(null);
  const decide = (index: number, answer: Approval | undefined): void => {
    const now = answers.value.map((other, at) => (at === index ? answer : other));
    answers.value = now;
    const given = now.filter((other) => other !== undefined);
    if (given.length === now.length) card.answer(given);
    else requestAnimationFrame(() => bringFocus(body.current?.querySelector("[data-open] .approve-arguments")));
  };
  return (
    <div class="card waiting" role="group" aria-labelledby={`card-${card.id}`} ref={body}>
      <h3 id={`card-${card.id}`}>
        <ToneIcon tone="waiting" />{" "}
        {card.calls.length === 1 ? "May this run?" : `May these ${card.calls.length} calls run?`}
      </h3>
      {card.calls.length > 1 && <p class="hint">Decide each one. None runs before all are decided.</p>}
      {card.calls.map((call, index) => (
        <CallQuestion
          key={call.key}
          call={call}
          card={card}
          place={card.calls.length > 1 ? `${index + 1} of ${card.calls.length}` : ""}
          first={index === 0}
          answer={answers.value[index]}
          guarded={guarded}
          decide={(answer) => decide(index, answer)}
        />
      ))}
      {card.definition === undefined && (
        <p class="by-phone">
          <button type="button" class="quiet small" onClick={() => askPhone(card)}>
            <Icon name="phone" /> Approve by phone
          </button>
        </p>
      )}
    </div>
  );
}

/** Tells whether the card has changed so lately that approving would not be an act of its own. */
function useGuard(changed: unknown): boolean {
  const quiet = useSignal<unknown>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => (quiet.value = changed), GUARD_MS);
    return () => clearTimeout(timer);
  }, [changed]);
  return quiet.value !== changed;
}

interface CallQuestionProps {
  call: AskedCall;
  card: WaitingApproval;
  place: string;
  first: boolean;
  answer: Approval | undefined;
  guarded: boolean;
  decide: (answer: Approval | undefined) => void;
}

function CallQuestion({ call, card, place, first, answer, guarded, decide }: CallQuestionProps) {
  const draft = useSignal(shownArguments(call));
  const id = `approve-${card.id}-${call.call_id}`;
  return (
    <div class="approve-call" role="group" aria-labelledby={`${id}-tool`} data-open={answer ? undefined : ""}>
      <AskedCallFacts call={call} id={id} place={place} sources={storyOnShow.value?.sources} goToCall={goToCall} />
      {answer ? (
        <Decided answer={answer} change={() => decide(undefined)} />
      ) : (
        <Open call={call} card={card} id={id} draft={draft} first={first} guarded={guarded} decide={decide} />
      )}
    </div>
  );
}

function Decided({ answer, change }: { answer: Approval; change: () => void }) {
  const tone = answer.approved ? "accepted" : "rejected";
  const edited = answer.params ? ", with edited arguments" : "";
  return (
    <p class="approve-decided">
      <span class={`badge tone-${tone}`}>
        <ToneIcon tone={tone} />
        {answer.approved ? `approved${edited}` : "refused"}
      </span>
      <button type="button" class="quiet small" onClick={change}>
        Change
      </button>
    </p>
  );
}

interface OpenProps {
  call: AskedCall;
  card: WaitingApproval;
  id: string;
  draft: { value: string };
  first: boolean;
  guarded: boolean;
  decide: (answer: Approval) => void;
}

function Open({ call, card, id, draft, first, guarded, decide }: OpenProps) {
  const reason = useSignal("");
  const problem = useSignal("");
  const approve = async (): Promise<void> => {
    if (guarded) return;
    problem.value = reason.value.trim() === "" ? await troubleWith(call, draft.value, card.definition) : CLEAR_REASON;
    if (problem.value === "") decide(approval(call, draft.value));
  };
  const refuse = (): void => decide(refusal(call, reason.value.trim()));
  return (
    <>
      <Arguments call={call} id={id} draft={draft} first={first} wrong={problem.value !== ""} />
      <DecideButtons
        id={id}
        words="Approve and run"
        isOutside={outsideOf(call).length > 0}
        guarded={guarded}
        reason={reason}
        problem={problem.value}
        isEnterRefusal
        approve={() => void approve()}
        refuse={refuse}
      />
    </>
  );
}

interface ArgumentsProps {
  call: AskedCall;
  id: string;
  draft: { value: string };
  first: boolean;
  wrong: boolean;
}

/** All arguments, none cut off: as text with every value isolated, or as a field to edit them in. */
function Arguments({ call, id, draft, first, wrong }: ArgumentsProps) {
  const place = useFocusWhenIdle<HTMLPreElement>();
  const editing = useSignal(false);
  const edited = isEdited(call, draft.value);
  return (
    <>
      <div class="approve-label">
        <label id={`${id}-label`} for={editing.value ? `${id}-params` : undefined}>
          Arguments
        </label>
        {edited && <span class="badge tone-corrected">edited</span>}
        <span class="grow" />
        {edited && (
          <button type="button" class="quiet small" onClick={() => (draft.value = shownArguments(call))}>
            Undo edit
          </button>
        )}
        <button type="button" class="quiet small" onClick={() => (editing.value = !editing.value)}>
          {editing.value ? "Show" : "Edit"}
        </button>
      </div>
      {editing.value ? (
        <textarea
          id={`${id}-params`}
          ref={bringFocus}
          class="mono approve-arguments"
          spellcheck={false}
          rows={draft.value.split("\n").length}
          value={draft.value}
          aria-invalid={wrong}
          aria-describedby={`${id}-problem`}
          onInput={(event) => (draft.value = event.currentTarget.value)}
        />
      ) : (
        <pre
          class="code approve-arguments"
          ref={first ? place : null}
          tabIndex={0}
          role="region"
          aria-labelledby={`${id}-label ${id}-tool`}
        >
          <JsonText text={draft.value} />
        </pre>
      )}
    </>
  );
}

async function troubleWith(call: AskedCall, draft: string, definition: string | undefined): Promise<string> {
  return isEdited(call, draft) ? problemsOf(call, draft, definition) : "";
}
