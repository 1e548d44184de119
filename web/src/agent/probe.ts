/**
 * Makes the runs of a probe with a model: the host's part.
 *
 * The tasks, the ways to ask, the judge and the choice of the best way are functions that native hosts share.
 */
import type { AnyCore } from "../core/core.js";
import { accepted } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { AgentDefinition, ModelProfile } from "../generated/wire.js";
import { Agent } from "./agent.js";
import type { AskedCall, Model, Tool, ToolOutcome } from "./ports.js";

/** What to probe. */
export interface ProbeOptions {
  /** The likeliest ways and some of the tasks alone; default false. */
  quick?: boolean;
  /** The dialect of the model's family; default is told by its name. */
  dialect?: string;
  /** The model's window, which goes into the profile; default is what the model says. */
  window_tokens?: number;
}

/** What was measured, as numbers. */
export interface ProbeFigures {
  readonly right: number;
  readonly tasks: number;
  readonly model_calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly seconds: number;
}

/** One way to ask a model. */
export interface ProbeWay {
  readonly dialect: string;
  readonly constraint: "json_schema" | "grammar" | "tools" | "none";
  readonly carry: "off" | "ground";
}

/** The outcome of one way: what was not right by its task, and why the model gave nothing, if that ended the way. */
export interface ProbeRow extends ProbeWay, ProbeFigures {
  readonly wrong: Readonly<Record<string, string>>;
  readonly refusal: string;
}

/** A profile, which agent files take as it is. */
export type ProbeProfile = ModelProfile & { readonly figures: ProbeFigures };

/** How a probe stands. */
export interface ProbeStanding {
  /** The run that is due; null at the end. */
  readonly next: { readonly way: ProbeWay; readonly task: string; readonly query: string } | null;
  /** How many runs are over, of how many. */
  readonly ended: number;
  readonly runs: number;
  /** How many tasks each way has. */
  readonly tasks: number;
  readonly rows: readonly ProbeRow[];
  /** The best way so far, by its row, and as a profile. */
  readonly best: number | null;
  readonly profile: ProbeProfile | null;
}

interface Step extends ProbeStanding {
  readonly probe: unknown;
  readonly next: (ProbeStanding["next"] & { readonly definition: AgentDefinition }) | null;
}

type ProbeCore = Pick<AnyCore, "run_probe_step">;

/** Gives how a probe of the model with that name would stand before its first run. */
export async function probeBegun(core: ProbeCore, name: string, options: ProbeOptions = {}): Promise<ProbeStanding> {
  return stepOf(core, { model: name, ...options });
}

/** Probes a model: gives how it stands at first and after each run, until the end or until `signal` aborts. */
export async function* probeModel(
  core: AnyCore,
  model: Model,
  options: ProbeOptions = {},
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<ProbeStanding, void> {
  const { name, windowTokens } = model;
  const window = windowTokens === undefined ? undefined : { window_tokens: windowTokens };
  let step = await stepOf(core, { model: name, ...window, ...options });
  yield step;
  while (step.next && !signal.aborted) {
    const began = performance.now();
    const log = await logOf(core, model, step.next, signal);
    if (signal.aborted) return;
    step = await stepOf(core, { probe: step.probe, log, seconds: (performance.now() - began) / 1000 });
    yield step;
  }
}

async function stepOf(core: ProbeCore, input: object): Promise<Step> {
  return (JSON.parse(accepted(await core.run_probe_step(writeExactly(input)))) as { value: Step }).value;
}

async function logOf(
  core: AnyCore,
  model: Model,
  { definition, query, task }: NonNullable<Step["next"]>,
  signal: AbortSignal,
): Promise<string> {
  let log = "";
  const tools = (definition.tools ?? []).map((spec): Tool => ({
    spec,
    run: (params) => outcomeOf(core, spec.name, params),
  }));
  const ports = { model, tools, approve: approveAll, log: { append: (lines: string) => void (log += lines) } };
  const agent = new Agent(core, ports, definition, { run_id: `probe-${task}` });
  const stop = (): void => agent.cancel("the probe was stopped");
  signal.addEventListener("abort", stop);
  try {
    await agent.ask(query);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return log;
}

/** Gives what a tool of the suite returns: it answers from a fixed table and has no effect. */
async function outcomeOf(core: AnyCore, tool: string, params: Record<string, unknown>): Promise<ToolOutcome> {
  const found = accepted(await core.run_probe_tool(writeExactly({ tool, params })));
  return (parseVerbatim(found) as { value: ToolOutcome }).value;
}

async function approveAll(calls: AskedCall[]) {
  return calls.map(({ call_id, key }) => ({ call_id, key, approved: true, by: "probe" }));
}
