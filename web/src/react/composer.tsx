"use client";
/** Where a message is written, and a run is stopped. */
import { useId, useState } from "react";
import type { AgentSnapshot } from "../agent/snapshot.js";
import { useWords } from "./chat_words.js";
import type { AgentActions } from "./use_agent.js";

export interface ComposerProps extends Pick<AgentActions, "send" | "stop"> {
  readonly status: AgentSnapshot["status"];
  /** Whether nothing can be sent yet. */
  readonly disabled?: boolean | undefined;
  /** Shown in the empty field. */
  readonly placeholder?: string | undefined;
}

/** Sends with Enter; Shift and Enter begin a new line, and Enter that ends a composed character sends nothing. */
export function Composer({ status, send, stop, disabled = false, placeholder }: ComposerProps) {
  const words = useWords();
  const id = useId();
  const [text, setText] = useState("");
  const busy = disabled || status === "running" || status === "waiting";
  const submit = (): void => {
    if (busy || text.trim() === "") return;
    setText("");
    void send(text.trim());
  };
  return (
    <form className="purestep-composer" onSubmit={(event) => (event.preventDefault(), submit())}>
      <label htmlFor={id}>{words.message}</label>
      <textarea
        id={id}
        rows={1}
        value={text}
        placeholder={placeholder}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      {status === "running" ? (
        // Separate elements: with one, the click that stops could also send.
        <button key="stop" type="button" onClick={stop}>
          {words.stop}
        </button>
      ) : (
        <button key="send" data-strong={true} disabled={busy || text.trim() === ""}>
          {words.send}
        </button>
      )}
    </form>
  );
}
