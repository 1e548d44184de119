/** Executes a skill with a model: carries out the core's decisions until it is done or has failed, and decides nothing. */
import type { AnyCore } from "../core/core.js";
import { pause } from "../deadline.js";
import { accepted, PurestepError } from "../errors.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { CallModel, Cancel, Done, Failed, ModelError, ModelOutput, SkillStep } from "../generated/wire.js";
import { modelRequest } from "./model_request.js";
import { profileOf } from "./carry.js";
import { OutputGate } from "./output_gate.js";
import type { Model, Sleep } from "./ports.js";

/** How to execute a skill. */
export interface SkillOptions {
  /** Cancels the skill. */
  signal?: AbortSignal;
  /** Default is a timer. */
  sleep?: Sleep;
}

/**
 * Gives how a skill ended: `done` with its output as `data`, or `failed` with the kind of the fault as its code.
 *
 * `params` are its arguments, as a value or as JSON text. Without a model only what the core finds by itself is done.
 * Throws PurestepError for arguments that the skill does not have, and `no_model` where one is needed.
 */
export async function runSkill(
  core: AnyCore,
  model: Model | undefined,
  skill: string,
  params: Readonly<Record<string, unknown>> | string,
  { signal = new AbortController().signal, sleep = pause }: SkillOptions = {},
): Promise<Done | Failed> {
  // A skill chooses no tool, so nothing is scored.
  const spec =
    model &&
    (profileOf({ name: model.name, windowTokens: model.windowTokens, profile: model.profile }, "off") ?? {
      name: model.name,
    });
  const given = typeof params === "string" ? params : writeExactly(params);
  let step = await stepOf(
    core,
    `{"skill":${JSON.stringify(skill)},"params":${given},"model":${writeExactly(spec ?? null)}}`,
  );
  while (step.decision.type === "call_model") {
    if (!model) throw new PurestepError("no_model", "this skill needs a model here, and there is none");
    const observation = await observe(core, model, step.decision, signal, sleep);
    step = await stepOf(core, writeExactly({ state: step.state, observation }));
  }
  return step.decision;
}

async function stepOf(core: AnyCore, input: string): Promise<SkillStep> {
  return parseVerbatim(accepted(await core.run_skill(input))) as SkillStep;
}

async function observe(
  core: AnyCore,
  model: Model,
  decision: CallModel,
  signal: AbortSignal,
  sleep: Sleep,
): Promise<ModelOutput | ModelError | Cancel> {
  if (decision.wait_ms) await sleep(decision.wait_ms, signal);
  if (signal.aborted) return { type: "cancel" };
  const gate = new OutputGate({ core, definition: "{}", model: model.name, watcher: {} });
  let stop!: () => void;
  const stopped = new Promise<undefined>((resolve) => (stop = () => resolve(undefined)));
  signal.addEventListener("abort", stop);
  try {
    const end = await Promise.race([model.complete(modelRequest(decision, []), gate, signal), stopped]);
    return end ? await gate.close(end) : { type: "cancel" };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
