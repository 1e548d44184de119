/** purestep: an agent decision core. One pure step function; hosts do everything else. */
export { Agent } from "./agent/agent.js";
export type { AskOptions, Checkpoint, RunEnd, RunOptions, StreamOptions, ToolChoice } from "./agent/agent.js";
export { approved, approveEach, refused } from "./agent/approving.js";
export type { AnsweredCall, ApproveCall } from "./agent/approving.js";
export type {
  AgentEvent,
  ApprovalAsked,
  CallReturned,
  CallStarted,
  RunEnded,
  RunStatus,
  TextPiece,
  TextRetracted,
} from "./agent/events.js";
export { dueResults, later, lateResult, laterUntil } from "./agent/late.js";
export type { LateCall, Later, LateResult } from "./agent/late.js";
export type { AgentTool, AgentToolOptions, AnyTool } from "./agent/sub_agents.js";
export { byEmbedding } from "./agent/tool_ranking.js";
export type { Embed, RankTools, ToolText } from "./agent/tool_ranking.js";
export { attached, MemoryAttachments } from "./agent/attachments.js";
export type { Attachment, AttachmentSource, AttachmentStore } from "./agent/attachments.js";
export type { RunStream } from "./agent/run_stream.js";
export type { AgentSnapshot, AnswerItem, CallItem, ChatItem, FailureItem, UserItem } from "./agent/snapshot.js";
export type { RunUsage } from "./agent/usage.js";
export type { CarryLevel } from "./agent/carry.js";
export { probeBegun, probeModel } from "./agent/probe.js";
export type { ProbeFigures, ProbeOptions, ProbeProfile, ProbeRow, ProbeStanding, ProbeWay } from "./agent/probe.js";
export type {
  AgentPlace,
  Approver,
  AskedCall,
  ChatMessage,
  ChatPart,
  Clock,
  DueCall,
  Log,
  Model,
  ModelEnd,
  ModelRequest,
  OpenDecision,
  Ports,
  ReplySink,
  RunTool,
  Sleep,
  StepTaken,
  Tool,
  ToolOutcome,
  Watcher,
} from "./agent/ports.js";
export { runSkill } from "./agent/skill.js";
export type { SkillOptions } from "./agent/skill.js";
export type { BootOptions, LoadProgress, LoadReport } from "./core/boot.js";
export { createAgentCore, JSON_FUNCTIONS } from "./core/core.js";
export type { AgentCore, AnyCore, JsonArguments, JsonFunction } from "./core/core.js";
export type { DialectFunctions, FormattedText, TextCall, TextReading } from "./core/dialects.js";
export type { InitOptions } from "./core/drop_in.js";
export { create_agent_state, init as default, run_agent_step } from "./core/drop_in.js";
export { PurestepError } from "./errors.js";
export { NumberText, parseExactly, parseVerbatim, writeExactly } from "./exact_numbers.js";
export type { LoadableModel, ModelProgress, OnProgress } from "./models/index.js";
export { jsonSchemaOf } from "./tools/schema.js";
export type { AnySchema, JsonSchema, StandardSchema, ToJsonSchema } from "./tools/schema.js";
export { ToolFailure } from "./tools/tool.js";
export { tool } from "./tools/typed_tool.js";
export type { Invocation, ToolOptions } from "./tools/typed_tool.js";
export { loadCore } from "./worker/load_core.js";
export type { LoadedCore } from "./worker/load_core.js";
export type { WorkerCoreOptions } from "./worker/index.js";
export type * from "./generated/wire.js";
