"use client";
/** A whole conversation with an agent in one component. */
import type { ReactNode } from "react";
import type { Agent } from "../agent/agent.js";
import { Approvals } from "./approvals.js";
import { type ChatWords, useWords, WordsProvider } from "./chat_words.js";
import { Composer } from "./composer.js";
import { Thread, type ThreadProps } from "./thread.js";
import { useAgent } from "./use_agent.js";

export interface AgentChatProps extends Pick<ThreadProps, "renderAnswer"> {
  /** The agent; `undefined` while it loads. */
  readonly agent: Agent | undefined;
  /** Who answers about calls, for the log. */
  readonly by?: string;
  /** Shown in the empty field. */
  readonly placeholder?: string;
  /** Words of another language, or of the page. */
  readonly words?: Partial<ChatWords>;
  /** Shown before anything was said. */
  readonly children?: ReactNode;
}

/** Shows the thread, the calls that wait, and the field; `purestep/react/styles.css` makes it look as it should. */
export function AgentChat({ agent, words = {}, ...rest }: AgentChatProps) {
  return (
    <WordsProvider words={words}>
      <Chat agent={agent} {...rest} />
    </WordsProvider>
  );
}

function Chat({ agent, by, placeholder, renderAnswer, children }: Omit<AgentChatProps, "words">) {
  const { status, items, approvals, send, approve, refuse, stop } = useAgent(agent);
  const { writing } = useWords();
  return (
    <div className="purestep-chat" data-status={status}>
      <Thread items={items} renderAnswer={renderAnswer}>
        {items.length === 0 && children}
        <Approvals approvals={approvals} approve={approve} refuse={refuse} by={by} />
        {status === "running" && (
          <p className="purestep-writing" role="status">
            {writing}
          </p>
        )}
      </Thread>
      <Composer status={status} send={send} stop={stop} disabled={!agent} placeholder={placeholder} />
    </div>
  );
}
