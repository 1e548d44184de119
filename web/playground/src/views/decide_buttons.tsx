/** The two buttons under a call that waits, and why it is refused; the phone's page has the same. */
import type { Signal } from "@preact/signals";

export const CLEAR_REASON = "A reason is for a refusal: clear it to approve, or refuse.";

interface DecideButtonsProps {
  readonly id: string;
  /** What the button says that approves. */
  readonly words: string;
  /** Whether text from outside is in the call: refusing is the act at hand then. */
  readonly isOutside: boolean;
  /** Whether nothing is approved yet: what stood here a moment ago may have been meant. */
  readonly guarded: boolean;
  readonly reason: Signal<string>;
  readonly problem: string;
  /** Whether Enter in a reason refuses: not where that signs an answer. */
  readonly isEnterRefusal?: boolean;
  readonly approve: () => void;
  readonly refuse: () => void;
}

export function DecideButtons({ id, words, isOutside, guarded, reason, problem, ...acts }: DecideButtonsProps) {
  const approves = (
    <button
      type="button"
      key="approve"
      class={isOutside ? "danger" : "primary"}
      aria-disabled={guarded}
      onClick={acts.approve}
    >
      {words}
    </button>
  );
  const refuses = (
    <button type="button" key="refuse" class={isOutside ? "primary" : "danger"} onClick={acts.refuse}>
      Refuse
    </button>
  );
  return (
    <>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons decide">{isOutside ? [refuses, approves] : [approves, refuses]}</div>
      <label for={`${id}-reason`}>
        Reason, or what to do instead <span class="hint">for a refusal, told to the model</span>
      </label>
      <input
        id={`${id}-reason`}
        value={reason.value}
        autocomplete="off"
        onInput={(event) => (reason.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          // Who writes a reason refuses; an empty field says nothing.
          if (acts.isEnterRefusal && event.key === "Enter" && !event.isComposing && reason.value.trim() !== "")
            acts.refuse();
        }}
      />
    </>
  );
}
