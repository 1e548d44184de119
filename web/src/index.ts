/** purestep: an agent decision core. One pure step function; hosts do everything else. */
export { Agent } from "./agent/agent.js";
export type { AskOptions, RunEnd, RunOptions, ToolChoice } from "./agent/agent.js";
export type { CarryLevel } from "./agent/carry.js";
export { probeBegun, probeModel } from "./agent/probe.js";
export type { ProbeFigures, ProbeOptions, ProbeProfile, ProbeRow, ProbeStanding, ProbeWay } from "./agent/probe.js";
export type {
  Approver,
  AskedCall,
  Clock,
  DueCall,
  Log,
  Model,
  ModelEnd,
  ModelRequest,
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
export type { InitOptions } from "./core/drop_in.js";
export { create_agent_state, init as default, run_agent_step } from "./core/drop_in.js";
export { PurestepError } from "./errors.js";
export { NumberText, parseExactly, parseVerbatim, writeExactly } from "./exact_numbers.js";
export type { LoadableModel, ModelProgress, OnProgress } from "./models/index.js";
export type * from "./generated/wire.js";
