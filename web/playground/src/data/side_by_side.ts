/**
 * One question put to two models, or to one under two definitions, at the same time.
 *
 * Neither run is stored. A call that may change something is asked about in each, whatever the definition says, since
 * both would make it; what only reads runs in each.
 */
import type { Signal } from "@preact/signals";
import { signal } from "@preact/signals";
import { Agent } from "../../../src/agent/agent.js";
import { changedAll } from "../../../src/agent/agent_tree.js";
import { completed } from "../../../src/agent/carry.js";
import type { Model, Tool } from "../../../src/agent/ports.js";
import type { AnyCore } from "../../../src/core/core.js";
import { pause } from "../../../src/deadline.js";
import { accepted, PurestepError } from "../../../src/errors.js";
import { openAiModel } from "../../../src/models/openai.js";
import { coreReady } from "../core/load_core.js";
import { chosen, chosenSource, dropModel, modelReady, modelStatus } from "../models/choice.js";
import { addressTrouble } from "../models/http_source.js";
import { playedBeside, script } from "../models/scripted.js";
import type { AgentDefinition } from "../../../src/generated/wire.js";
import { withAgents } from "../tools/agents.js";
import { toolsOf } from "../tools/tools.js";
import { wordsOf } from "./notices.js";
import { offeredAnew, withTools } from "./offered_tools.js";
import { definitionFor } from "./run.js";
import type { Step } from "./steps.js";
import { innermost, modelOutputs, newRunId, parsedDefinition, readLines } from "./steps.js";
import type { Waiting } from "./waiting.js";
import { waitingList } from "./waiting.js";

/** What one side is asked with; server: undefined for the model that is chosen in the settings. */
export interface SideChoice {
  readonly server?: { readonly base_url: string; readonly model: string; readonly key: string };
  readonly definition: string;
}

export type SideState =
  | { readonly kind: "queued" | "loading" | "running" | "ended" | "stopped" }
  | { readonly kind: "failed"; readonly message: string };

export interface Side {
  /** The model, by the name that the page has for it. */
  readonly title: string;
  readonly state: Signal<SideState>;
  readonly steps: Signal<readonly Step[]>;
  /** What the model has written of the output that is under way. */
  readonly said: Signal<string>;
  readonly cards: Signal<readonly Waiting[]>;
  /** The definition that it runs with, once that is known. */
  readonly definition: Signal<string | undefined>;
}

export interface Pair {
  readonly question: string;
  readonly sides: readonly [Side, Side];
}

export const pair = signal<Pair | undefined>();

let stopping = new AbortController();

/** Asks both; a side that fails leaves the other alone. Settles when both have ended. */
export async function askBoth(question: string, choices: readonly [SideChoice, SideChoice]): Promise<void> {
  stopBoth();
  const { signal } = (stopping = new AbortController());
  const sides = [sideOf(choices[0]), sideOf(choices[1])] as const;
  pair.value = { question, sides };
  const first = finished(sides[0], choices[0], question, signal);
  // A model in the page answers one request at a time, and one after another it reads each prompt once.
  const shared = choices.every((choice) => choice.server === undefined) && chosen.value !== "http";
  const second = (shared ? first : Promise.resolve()).then(() => finished(sides[1], choices[1], question, signal));
  await Promise.all([first, second]);
}

export function stopBoth(): void {
  stopping.abort();
  const isAwaited = pair.value?.sides.some(({ state }) => state.value.kind === "loading") ?? false;
  if (isAwaited && modelStatus.value.kind === "loading") dropModel();
}

/** Whether one of the two goes on. */
export const isAsking = ({ sides }: Pair): boolean =>
  sides.some(({ state }) => ["queued", "loading", "running"].includes(state.value.kind));

function sideOf({ server }: SideChoice): Side {
  return {
    title: server ? server.model.trim() || "a model without a name" : chosenSource().title,
    state: signal<SideState>({ kind: "queued" }),
    steps: signal<readonly Step[]>([]),
    said: signal(""),
    cards: signal<readonly Waiting[]>([]),
    definition: signal<string | undefined>(),
  };
}

async function finished(side: Side, choice: SideChoice, question: string, signal: AbortSignal): Promise<void> {
  try {
    if (!signal.aborted) await run(side, choice, question, signal);
    const last = side.steps.value.at(-1)?.lines.at(-1)?.event.kind;
    side.state.value = { kind: signal.aborted && last !== "final_answer" ? "stopped" : "ended" };
  } catch (error) {
    side.state.value = signal.aborted ? { kind: "stopped" } : { kind: "failed", message: wordsOf(error) };
  } finally {
    side.said.value = "";
  }
}

async function run(side: Side, choice: SideChoice, question: string, signal: AbortSignal): Promise<void> {
  side.state.value = { kind: "loading" };
  const core = await coreReady();
  accepted(await core.load_agent(choice.definition));
  const { offered, close } = await offeredAnew();
  try {
    await runWith({ core, offered }, side, choice, question, signal);
  } finally {
    close();
  }
}

async function runWith(
  { core, offered }: { readonly core: AnyCore; readonly offered: readonly Tool[] },
  side: Side,
  choice: SideChoice,
  question: string,
  signal: AbortSignal,
): Promise<void> {
  const isScript = choice.server === undefined && chosen.value === "scripted";
  const specs = offered.map((tool) => tool.spec);
  const asked = await changedAll(withTools(choice.definition, specs), (each) =>
    completed(core, each, { asks_before_acting: true }),
  );
  const waits = waitingList(side.cards, asked);
  const outputs = script.value.outputs;
  const model = isScript
    ? playedBeside(outputs, () => modelOutputs(side.steps.value), waits.askOutput)
    : await (choice.server ? serverModel(choice.server) : modelReady());
  const definition = await definitionFor(asked, model, isScript, choice.server ? "http" : chosen.value);
  if (signal.aborted) return;
  side.definition.value = definition;
  const events = () => side.steps.value.flatMap((step) => step.lines).map((line) => innermost(line.event));
  const add = (text: string): void => void (side.said.value += text);
  const retract = (): void => void (side.said.value = "");
  // A name that the page has written into the definition is not the server's either.
  const unnamedModel = choice.server || definition !== asked ? unnamed(model) : model;
  const toolsFor = (each: AgentDefinition) => toolsOf(each, core, undefined, offered, events, waits.manualTool);
  const agent = new Agent(
    core,
    {
      model: unnamedModel,
      sleep: pause,
      tools: withAgents(parsedDefinition(definition), (each) => ({ model: unnamedModel, tools: toolsFor(each) }), core),
      approve: waits.askApproval,
      log: { append: async (lines) => keep(side, lines) },
      watch: { onText: add, onRetract: retract },
    },
    definition,
    { run_id: newRunId() },
  );
  const stop = (): void => agent.cancel();
  signal.addEventListener("abort", stop);
  side.state.value = { kind: "running" };
  try {
    await untilEnd(agent, question);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** After edited arguments that do not fit, the core asks for approval again. */
async function untilEnd(agent: Agent, question: string): Promise<void> {
  for (let work = () => agent.ask(question); ; work = () => agent.continueRun()) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof PurestepError && error.code === "invalid_arguments")) throw error;
    }
  }
}

function keep(side: Side, lines: string): void {
  side.said.value = "";
  side.steps.value = [...side.steps.value, { lines: readLines(lines) }];
}

async function serverModel({ base_url, model, key }: NonNullable<SideChoice["server"]>): Promise<Model> {
  const name = model.trim();
  if (name === "") throw new Error("Enter the model's name, as the server knows it.");
  const trouble = addressTrouble(base_url);
  if (trouble !== "") throw new Error(trouble);
  return openAiModel({
    baseUrl: base_url,
    model: name,
    keyName: "the field Key",
    ...(key.trim() !== "" && { apiKey: key.trim() }),
  });
}

/** Gives the model for a run that asks the one of its side, whichever the definition names. */
function unnamed(model: Model): Model {
  return {
    name: model.name,
    get refused() {
      return model.refused;
    },
    complete: ({ model: _named, ...request }, reply, signal) => model.complete(request, reply, signal),
  };
}
