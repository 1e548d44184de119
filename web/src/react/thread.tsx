"use client";
/** A conversation: what was said, what was called, and what may have been changed. */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { ChatItem } from "../agent/snapshot.js";
import { Acts } from "./acts.js";
import { useWords } from "./chat_words.js";
import { CallStep } from "./timeline.js";
import { ToldText } from "./told_text.js";

/** So near to its end a thread still follows what is added. */
const NEAR_PX = 48;

export interface ThreadProps {
  /** The items of a snapshot. */
  readonly items: readonly ChatItem[];
  /** Shows an answer in another way than as text, for example as Markdown; what it makes of the text is its own. */
  readonly renderAnswer?: ((text: string) => ReactNode) | undefined;
  /** What stands below the last item, for example the calls that wait. */
  readonly children?: ReactNode;
}

/** Shows the items in order, and follows them while its end is in view. */
export function Thread({ items, renderAnswer, children }: ThreadProps) {
  const place = useFollowing(items);
  return (
    <div className="purestep-thread" role="log" aria-label={useWords().conversation} tabIndex={0} ref={place}>
      {items.map((item, at) => (
        <Item key={at} item={item} renderAnswer={renderAnswer} />
      ))}
      {children}
    </div>
  );
}

function Item({ item, renderAnswer }: { item: ChatItem; renderAnswer: ThreadProps["renderAnswer"] }) {
  const words = useWords();
  switch (item.type) {
    case "user":
      return (
        <article className="purestep-user" aria-label={words.you}>
          <ToldText text={item.text} />
        </article>
      );
    case "call":
      return <CallStep call={item} />;
    case "answer":
      return (
        <article className="purestep-answer" aria-label={words.agent} aria-busy={item.isOpen}>
          {renderAnswer ? renderAnswer(item.text) : <ToldText text={item.text} />}
          <Acts {...item} />
        </article>
      );
    case "failure":
      return (
        <article className="purestep-failure" role="alert">
          <b>{words.failed}</b>: <ToldText text={item.message} />
          <Acts {...item} />
        </article>
      );
  }
}

function useFollowing(items: readonly ChatItem[]) {
  const place = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const thread = place.current;
    if (!thread) return undefined;
    const look = (): void => {
      follows.current = thread.scrollHeight - thread.scrollTop - thread.clientHeight < NEAR_PX;
    };
    thread.addEventListener("scroll", look, { passive: true });
    return () => thread.removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    if (follows.current) place.current?.scrollTo(0, place.current.scrollHeight);
  }, [items]);
  return place;
}
