/**
 * The running session: asks, carries on, stops, forks, and keeps every step before it is acted on.
 *
 * It decides nothing about the run. Each of its functions hands over to `Agent`, whose every decision is the core's.
 */
import { computed, signal } from "@preact/signals";
import { Agent } from "../../../src/agent/agent.js";
import type { Ended, Standing } from "../../../src/agent/agent.js";
import type { Model, StepTaken } from "../../../src/agent/ports.js";
import { pause } from "../../../src/deadline.js";
import { accepted, PurestepError } from "../../../src/errors.js";
import { coreReady } from "../core/load_core.js";
import { dropModel, modelReady, modelStatus } from "../models/choice.js";
import { scriptGoesOnAfter } from "../models/scripted.js";
import { toolsOf } from "../tools/tools.js";
import { announceStep } from "./announcements.js";
import { foundAt, remember } from "./found.js";
import { notify, wordsOf } from "./notices.js";
import type { Branch, Session, Step } from "./steps.js";
import { activeBranch, forked, modelOutputs, parsedDefinition, readLines, withBranch } from "./steps.js";
import { holdSession, keepSession, keepStep } from "./store.js";
import { askApproval } from "./waiting.js";

export const session = signal<Session | undefined>();

/** The step looked at, by its index in the active branch; undefined: the newest. */
export const viewed = signal<number | undefined>();

/** What the run is at: nothing, or carrying out a decision. */
export const running = signal(false);

/** What the model has said so far in the output under way. */
export interface Spoken {
  /** What may be shown. */
  readonly text: string;
  /** The calls that are complete; the core has checked none of them yet. */
  readonly calls: readonly { readonly tool: string; readonly params: Readonly<Record<string, unknown>> }[];
  /** How many characters came in all. */
  readonly chars: number;
}

export const spoken = signal<Spoken | undefined>();

/** How long the run waits before its model is asked again, in milliseconds; undefined: it does not wait. */
export const retryWait = signal<number | undefined>();

export const branch = computed<Branch | undefined>(() => session.value && activeBranch(session.value));

/** The steps on show: all of the branch, or those up to the one looked at. */
export const shownSteps = computed<readonly Step[]>(() => {
  const steps = branch.value?.steps ?? [];
  return viewed.value === undefined ? steps : steps.slice(0, viewed.value + 1);
});

/** Carries out the run under way, as soon as its model is there. */
let agent: Agent | undefined;
let stopWanted = false;

/** Sends a message: to the session that is there, else to a new one with this definition; false: it is not in the run. */
export async function ask(query: string, definition: string): Promise<boolean> {
  if (viewed.value !== undefined) await forkHere();
  const before = branch.value?.steps.length ?? 0;
  await carry((agent) => agent.ask(query), definition);
  return (branch.value?.steps.length ?? 0) > before;
}

/** Carries on from where the active branch stands. */
export async function goOn(): Promise<void> {
  await carry((agent) => agent.goOn());
}

export function stop(): void {
  stopWanted = true;
  if (agent) agent.cancel();
  else if (running.value && modelStatus.value.kind === "loading") dropModel();
}

/** Puts the session away; what is stored of it stays until it is discarded. */
export function leaveSession(): void {
  stop();
  session.value = undefined;
  viewed.value = undefined;
}

/** Makes this session the one on show, as it was kept or opened; throws where that would mix two runs. */
export async function takeUp(kept: Session): Promise<void> {
  if (running.value)
    throw new Error("A run is in progress. Stop it, or wait for its end, before you open another one.");
  if (!(await holdSession(kept.id))) throw new Error("Another tab has this run open. Continue it there.");
  session.value = kept;
  viewed.value = undefined;
  scriptGoesOnAfter(modelOutputs(activeBranch(kept).steps), false);
}

export function showBranch(id: string): void {
  if (!session.value || running.value) return;
  session.value = { ...session.value, active: id };
  viewed.value = undefined;
  scriptGoesOnAfter(modelOutputs(activeBranch(session.value).steps), false);
  void keepSession(session.value);
}

/** Makes a branch of the steps up to the one looked at; the old branch stays as it is. */
export async function forkHere(): Promise<void> {
  const parent = branch.value;
  if (!session.value || !parent || viewed.value === undefined) return;
  const fork = forked(session.value, parent, viewed.value + 1);
  const changed = { ...withBranch(session.value, fork), active: fork.id };
  await keepSession(changed);
  session.value = changed;
  viewed.value = undefined;
  scriptGoesOnAfter(modelOutputs(fork.steps), true);
}

async function begin(definition: string): Promise<Session> {
  const core = await coreReady();
  accepted(await core.load_agent(definition)); // a session keeps its definition, so it begins with none that is wrong
  const id = `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}-${crypto.randomUUID().slice(0, 6)}`;
  const first: Branch = { id: "b1", name: "Branch 1", steps: [] };
  const begun: Session = { id, run_id: id, created: Date.now(), definition, branches: [first], active: first.id };
  await holdSession(id);
  await keepSession(begun);
  scriptGoesOnAfter(0, false);
  return begun;
}

async function carry(work: (agent: Agent) => Promise<Ended>, definition?: string): Promise<void> {
  if (running.value) return;
  running.value = true;
  stopWanted = false;
  try {
    const model = await loadedModel();
    if (model) await carryOn(work, model, definition);
  } catch (error) {
    notify(wordsOf(error), "failed");
  } finally {
    agent = undefined;
    running.value = false;
    spoken.value = undefined;
  }
}

/** Gives the model; undefined where it does not load, which is told of by whoever loads it, or was wanted. */
async function loadedModel(): Promise<Model | undefined> {
  return modelReady().catch(() => undefined);
}

async function carryOn(work: (agent: Agent) => Promise<Ended>, model: Model, definition?: string): Promise<void> {
  if (!session.value && definition !== undefined) session.value = await begin(definition);
  agent = await agentFor(session.value!, model);
  if (!stopWanted) await through(work, agent);
}

/** Works until the run ends; arguments edited by a person may not fit, and then the core asks again. */
async function through(work: (agent: Agent) => Promise<Ended>, agent: Agent): Promise<void> {
  for (let next = work; ; next = (again) => again.goOn()) {
    try {
      await next(agent);
      return;
    } catch (error) {
      if (!(error instanceof PurestepError && error.code === "invalid_arguments")) throw error;
      notify(`The edited arguments do not fit: ${error.message}`, "failed");
    }
  }
}

async function agentFor(session: Session, model: Model): Promise<Agent> {
  const core = await coreReady();
  const from = await standingOf(session);
  return new Agent(
    core,
    {
      model: announced(model),
      sleep: waitToRetry,
      tools: toolsOf(parsedDefinition(session.definition), core),
      approve: askApproval,
      log: { append: (lines) => record(lines) },
      watch: { onStep: took, onText: speak, onCall: call, onRetract: unsay, onProgress: count },
    },
    session.definition, // as text: its digest hangs on every digit and member
    { run_id: session.run_id, ...(from && { from }) },
  );
}

async function standingOf(session: Session): Promise<Standing | undefined> {
  const { steps } = activeBranch(session);
  return steps.length === 0 ? undefined : foundAt(steps, steps.length - 1);
}

/** Shows that the model is asked, before anything of its output has come. */
function announced(model: Model): Model {
  return {
    name: model.name,
    complete(request, reply, signal) {
      spoken.value = { text: "", calls: [], chars: 0 };
      return model.complete(request, reply, signal);
    },
  };
}

async function waitToRetry(ms: number, signal: AbortSignal): Promise<void> {
  retryWait.value = ms;
  try {
    await pause(ms, signal);
  } finally {
    retryWait.value = undefined;
  }
}

/** Tells how much came of an output, also while none of it may be shown. */
function count(chars: number): void {
  if (spoken.value) spoken.value = { ...spoken.value, chars: spoken.value.chars + chars };
}

function speak(text: string): void {
  if (spoken.value) spoken.value = { ...spoken.value, text: spoken.value.text + text };
}

function call(tool: string, params: Readonly<Record<string, unknown>>): void {
  if (spoken.value) spoken.value = { ...spoken.value, calls: [...spoken.value.calls, { tool, params }] };
}

function unsay(): void {
  if (spoken.value) spoken.value = { ...spoken.value, text: "", calls: [] };
}

/** Keeps the lines of a step; it becomes part of the branch at once, so that nothing acted on is ever missing in it. */
async function record(lines: string): Promise<void> {
  const now = session.value!;
  const current = activeBranch(now);
  const step: Step = { lines: readLines(lines) };
  const changed = withBranch(now, { ...current, steps: [...current.steps, step] });
  await keepStep(changed, current.id, current.steps.length, step);
  spoken.value = undefined;
  session.value = changed;
}

function took(step: StepTaken): void {
  if (step.log === "") return; // the current decision asked for again
  const newest = branch.value!.steps.at(-1)!;
  remember(newest, { ...agent!.standing!, decision: step.decision });
  announceStep(newest);
}
