/**
 * The running session: asks, continues, stops, forks, and stores every step before its decision is carried out.
 *
 * It decides nothing about the run: its functions call `Agent`, which carries out the core's decisions.
 */
import { computed, signal } from "@preact/signals";
import { Agent } from "../../../src/agent/agent.js";
import type { AttachmentSource } from "../../../src/agent/attachments.js";
import type { RunEnd, Checkpoint } from "../../../src/agent/agent.js";
import { completedAll } from "../../../src/agent/agent_tree.js";
import { profileOf } from "../../../src/agent/carry.js";
import type { Model, PromptProgress, StepTaken, Tool } from "../../../src/agent/ports.js";
import { Adapters } from "../../../src/agent/sub_agents.js";
import { pause } from "../../../src/deadline.js";
import type { AgentDefinition } from "../../../src/generated/wire.js";
import { accepted, PurestepError } from "../../../src/errors.js";
import { coreReady, isCoreLost, loadCoreAgain } from "../core/load_core.js";
import { carryOf } from "../models/carry.js";
import { chosen, dropModel, modelReady, modelStatus } from "../models/choice.js";
import { profileFor } from "../models/profiles.js";
import { continueScriptAfter, playedModel } from "../models/scripted.js";
import { presetOf } from "../presets.js";
import { withAgents } from "../tools/agents.js";
import { toolsOf } from "../tools/tools.js";
import { announceStep } from "./announcements.js";
import { filesOf } from "./attached_files.js";
import { derivedAt, remember } from "./derived_steps.js";
import { keepOrAsk, stopAsking } from "./keeping.js";
import { notify, wordsOf } from "./notices.js";
import { offeredTools, offeredWhenReady, withTools } from "./offered_tools.js";
import { testing } from "./probe.js";
import type { Branch, Session, Step } from "./steps.js";
import {
  activeBranch,
  forked,
  innermost,
  modelOutputs,
  newRunId,
  parsedDefinition,
  questions,
  readLines,
  withBranch,
} from "./steps.js";
import { lockSession, keepSession } from "./store.js";
import { clearBelow, watchBelow } from "./streamed_below.js";
import { askApproval } from "./waiting.js";

export const session = signal<Session | undefined>();

/** The step looked at, by its index in the active branch; undefined: the newest. */
export const viewed = signal<number | undefined>();

/** Whether the run is carrying out a decision. */
export const running = signal(false);

/** The current model output, as far as it was received. */
export interface StreamedOutput {
  /** What may be shown. */
  readonly text: string;
  /** What is no part of the answer. */
  readonly reasoning: string;
  /** The calls that are complete; the core has checked none of them yet. */
  readonly calls: readonly { readonly tool: string; readonly params: Readonly<Record<string, unknown>> }[];
  /** How many characters came in all. */
  readonly chars: number;
  /** How many characters the model was sent. */
  readonly promptChars: number;
  /** How much of the prompt it has read, if it tells. */
  readonly promptRead?: PromptProgress;
}

export const streamedOutput = signal<StreamedOutput | undefined>();

/** The question that was sent and is not in the run yet: the core or the model is still being loaded. */
export const sentQuestion = signal("");

/** What the model had said when the run was stopped: shown, and no part of the run. */
export const stoppedOutput = signal("");

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
export async function ask(
  query: string,
  definition: string,
  attachments: readonly AttachmentSource[] = [],
): Promise<boolean> {
  if (viewed.value !== undefined) await forkHere();
  sentQuestion.value = query;
  const before = branch.value?.steps.length ?? 0;
  await runExclusively((agent) => agent.ask(query, { attachments }), definition);
  return (branch.value?.steps.length ?? 0) > before;
}

/** Asks in a new run in which a script plays the model, until the question is answered. */
export async function play(query: string, definition: string, script: readonly string[]): Promise<void> {
  if (running.value) return;
  closeSession();
  sentQuestion.value = query;
  await runExclusively((agent) => agent.ask(query, {}), definition, script);
}

/** Continues the active branch. */
export async function continueRun(): Promise<void> {
  await runExclusively((agent) => agent.continueRun());
}

export function stop(): void {
  stopWanted = true;
  stopAsking();
  if (running.value) stoppedOutput.value = streamedOutput.value?.text ?? "";
  if (agent) agent.cancel();
  else if (running.value && modelStatus.value.kind === "loading") dropModel();
}

/** Closes the session; its stored data stay until they are discarded. */
export function closeSession(): void {
  stop();
  stoppedOutput.value = "";
  session.value = undefined;
  viewed.value = undefined;
}

/** Shows a stored or opened session; throws while a run is in progress or another tab has the session. */
export async function openSession(kept: Session): Promise<void> {
  if (running.value)
    throw new Error("A run is in progress. Stop it, or wait for its end, before you open another one.");
  if (!(await lockSession(kept.id))) throw new Error("Another tab has this run open. Continue it there.");
  session.value = kept;
  stoppedOutput.value = "";
  viewed.value = undefined;
  continueScriptAfter(modelOutputs(activeBranch(kept).steps), false);
}

export function showBranch(id: string): void {
  if (!session.value || running.value) return;
  session.value = { ...session.value, active: id };
  viewed.value = undefined;
  continueScriptAfter(modelOutputs(activeBranch(session.value).steps), false);
  void keepSession(session.value);
}

/** Forks a branch after the step that is viewed; the old branch is unchanged. */
export async function forkHere(): Promise<void> {
  const parent = branch.value;
  if (!session.value || !parent || viewed.value === undefined) return;
  const fork = forked(session.value, parent, viewed.value + 1);
  const changed = { ...withBranch(session.value, fork), active: fork.id };
  await keepSession(changed);
  session.value = changed;
  viewed.value = undefined;
  continueScriptAfter(modelOutputs(fork.steps), true);
}

async function begin(edited: string, model: Model, script?: readonly string[]): Promise<Session> {
  const tools = script === undefined ? (await offeredWhenReady()).map(({ spec }) => spec) : [];
  const definition = await definitionFor(withTools(edited, tools), model, script !== undefined);
  const id = newRunId();
  const first: Branch = { id: "b1", name: "Branch 1", steps: [] };
  const kept = { definition, ...(definition !== edited && { edited }), ...(script && { script }) };
  const started: Session = { id, run_id: id, created: Date.now(), ...kept, branches: [first], active: first.id };
  await lockSession(id);
  await keepSession(started);
  continueScriptAfter(0, false);
  return started;
}

/**
 * Gives the definition with what the page knows of the model; throws for one that is wrong, since a session keeps it.
 *
 * isPlayed: a script says the outputs, and nothing is known of it. source: where the model is from.
 */
export async function definitionFor(
  edited: string,
  model: Model,
  isPlayed = false,
  source = chosen.value,
): Promise<string> {
  const core = await coreReady();
  const digest = accepted(await core.load_agent(edited));
  if (isPlayed) return edited;
  const profile = profileOf(model, carryOf(source), profileFor(source, model.name));
  if (!profile) return edited;
  const definition = await completedAll(core, edited, new Adapters({ model }, profile));
  return accepted(await core.load_agent(definition)) === digest ? edited : definition;
}

async function runExclusively(
  work: (agent: Agent) => Promise<RunEnd>,
  definition?: string,
  script?: readonly string[],
): Promise<void> {
  if (running.value) return;
  if (testing.value) return notify("The model is being tested. Stop the test, or wait for its end.", "failed");
  running.value = true;
  stopWanted = false;
  stoppedOutput.value = "";
  if (isCoreLost()) loadCoreAgain();
  try {
    const played = script ?? scriptOnShow(definition !== undefined);
    const model = played ? playedModel(played, () => modelOutputs(branch.value!.steps)) : await loadedModel();
    if (model) await startRun(work, model, definition, script);
  } catch (error) {
    if (!isCoreLost()) notify(wordsOf(error), "failed");
  } finally {
    agent = undefined;
    running.value = false;
    sentQuestion.value = "";
    streamedOutput.value = undefined;
    clearBelow();
  }
}

/** Gives the script that goes on: that of the run on show, up to the answer to its first question. */
function scriptOnShow(isAsking: boolean): readonly string[] | undefined {
  const asked = questions(branch.value?.steps ?? []) + (isAsking ? 1 : 0);
  return asked <= 1 ? session.value?.script : undefined;
}

/** Gives the model; undefined if it does not load, which the loader reports, or if loading was stopped. */
async function loadedModel(): Promise<Model | undefined> {
  return modelReady().catch(() => undefined);
}

async function startRun(
  work: (agent: Agent) => Promise<RunEnd>,
  model: Model,
  definition?: string,
  script?: readonly string[],
): Promise<void> {
  if (!session.value && definition !== undefined) session.value = await begin(definition, model, script);
  agent = await agentFor(session.value!, model);
  if (!stopWanted) await runUntilEnd(work, agent);
}

/** Runs until the end; after invalid edited arguments the core asks for approval again. */
async function runUntilEnd(work: (agent: Agent) => Promise<RunEnd>, agent: Agent): Promise<void> {
  for (let next = work; ; next = (again) => again.continueRun()) {
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
  const from = await checkpointOf(session);
  const told = announced(model, isModelNamedHere(session));
  const toolsFor = (definition: AgentDefinition): Tool[] =>
    toolsOf(
      definition,
      core,
      presetOf(session.edited ?? session.definition ?? ""),
      isOfThisPage(session) ? offeredTools.value : [],
      () => branch.value!.steps.flatMap((step) => step.lines).map((line) => innermost(line.event)),
    );
  return new Agent(
    core,
    {
      model: told,
      sleep: waitToRetry,
      tools: withAgents(parsedDefinition(session.definition), (each) => ({ model: told, tools: toolsFor(each) }), core),
      approve: askApproval,
      attachments: filesOf(session.id),
      log: { append: (lines) => record(lines) },
      watch: {
        onStep,
        onText: addText,
        onCall: call,
        onReasoning: addReasoning,
        onRetract: retract,
        onPromptRead: tellPrompt,
        onProgress: count,
        // Several may write at once.
        below: (place) => ({
          ...watchBelow(place, agent!.checkpoint!.state),
          onPromptRead: tellPrompt,
          onProgress: count,
        }),
      },
    },
    session.definition, // as text: its digest depends on every digit and member
    { run_id: session.run_id, ...(from && { from }) },
  );
}

/** A log that was opened brings a definition of somebody else's, which says what runs unasked: no own tool does. */
function isOfThisPage({ opened, fork }: Session): boolean {
  return opened === undefined && fork?.isForeign !== true;
}

/** Whether the page has written into the definition what it knows of the model, and so its name. */
function isModelNamedHere({ definition, edited }: Session): boolean {
  if (edited === undefined) return false;
  return JSON.stringify(parsedDefinition(edited).models) !== JSON.stringify(parsedDefinition(definition).models);
}

async function checkpointOf(session: Session): Promise<Checkpoint | undefined> {
  const { steps } = activeBranch(session);
  return steps.length === 0 ? undefined : derivedAt(steps, steps.length - 1);
}

/**
 * Shows that the model is asked, before its first output.
 *
 * isNamedHere: the page has written the name of a model into the definition, which another one may have taken over from.
 */
function announced(model: Model, isNamedHere: boolean): Model {
  return {
    name: model.name,
    refused: model.refused,
    complete({ model: named, ...asked }, reply, signal) {
      const request = isNamedHere || named === undefined ? asked : { ...asked, model: named };
      const promptChars = request.messages.reduce((sum, message) => sum + (message.content?.length ?? 0), 0);
      streamedOutput.value = { text: "", reasoning: "", calls: [], chars: 0, promptChars };
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

function tellPrompt(promptRead: PromptProgress): void {
  if (streamedOutput.value) streamedOutput.value = { ...streamedOutput.value, promptRead };
}

/** Counts the received characters, also while none may be shown. */
function count(chars: number): void {
  if (streamedOutput.value)
    streamedOutput.value = { ...streamedOutput.value, chars: streamedOutput.value.chars + chars };
}

function addText(text: string): void {
  if (streamedOutput.value) streamedOutput.value = { ...streamedOutput.value, text: streamedOutput.value.text + text };
}

function addReasoning(text: string): void {
  const now = streamedOutput.value;
  if (now) streamedOutput.value = { ...now, reasoning: now.reasoning + text };
}

function call(tool: string, params: Readonly<Record<string, unknown>>): void {
  if (streamedOutput.value)
    streamedOutput.value = { ...streamedOutput.value, calls: [...streamedOutput.value.calls, { tool, params }] };
}

function retract(): void {
  if (streamedOutput.value) streamedOutput.value = { ...streamedOutput.value, text: "", calls: [] };
}

/** Stores the lines of a step and adds it to the branch, before its decision is carried out. */
async function record(lines: string): Promise<void> {
  const now = session.value!;
  const current = activeBranch(now);
  const reasoning = streamedOutput.value?.reasoning.trim();
  const step: Step = { lines: readLines(lines), ...(reasoning && { reasoning }) };
  const changed = withBranch(now, { ...current, steps: [...current.steps, step] });
  await keepOrAsk(changed, current.id, current.steps.length, step);
  streamedOutput.value = undefined;
  clearBelow();
  sentQuestion.value = "";
  session.value = changed;
}

function onStep(step: StepTaken): void {
  if (step.log === "") return; // the current decision asked for again
  const newest = branch.value!.steps.at(-1)!;
  const { decision, decision_json, also } = step;
  remember(newest, { children: {}, ...agent!.checkpoint!, decision, decision_json, also });
  announceStep(newest);
}
