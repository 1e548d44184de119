"use client"; // for frameworks that render on a server: the hook runs where the state is
/** React: the hook `useAgent`, and components that show what it gives. */
export type { AgentSnapshot, AnswerItem, CallItem, ChatItem, FailureItem, UserItem } from "../agent/snapshot.js";
export { Acts, type ActsProps } from "./acts.js";
export { AgentChat, type AgentChatProps } from "./agent_chat.js";
export { Approvals, type ApprovalsProps } from "./approvals.js";
export { type ChatWords, ENGLISH, WordsProvider } from "./chat_words.js";
export { Composer, type ComposerProps } from "./composer.js";
export { Thread, type ThreadProps } from "./thread.js";
export { Timeline, type TimelineProps } from "./timeline.js";
export { type AgentActions, type AgentView, useAgent } from "./use_agent.js";
