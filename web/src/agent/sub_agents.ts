/** Other agents among the tools of one: the core runs them below its run, and each has a model and tools of its own. */
import { PurestepError } from "../errors.js";
import type { AgentDefinition, ModelProfile, SubAgent } from "../generated/wire.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { Agent } from "./agent.js";
import type { Model, Ports, Tool } from "./ports.js";
import { rankingTool } from "./tool_ranking.js";

/** What another agent calls an agent. */
export interface AgentToolOptions {
  /** The name of the tool; default the `name` of its definition. */
  readonly name?: string;
  /** What the caller's model reads of it; default the beginning of its instructions. */
  readonly description?: string;
}

/** An agent as a tool of another, which `Agent.asTool` and `Agent.asHandOff` make. */
export interface AgentTool extends AgentToolOptions {
  readonly name: string;
  /** Whether it takes the conversation over, instead of answering its caller. */
  readonly handOff?: boolean;
  /** Its definition as text, without what is known of its model. */
  readonly definition: string;
  readonly adapters: Adapters;
}

/** What the tools of an agent may be: functions, and other agents. */
export type AnyTool = Tool | AgentTool | Agent;

/** The model and the tools of an agent, and those of the agents that it calls. */
export class Adapters {
  readonly model: Model;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly agents: ReadonlyMap<string, AgentTool>;
  /** The tool by which these are ranked for a search; it is one of the tools. */
  readonly ranking: Tool | undefined;

  /**
   * Throws PurestepError for two agents of one name, and for one without.
   *
   * profile: what is known of the model.
   */
  constructor(
    { model, tools = [], toolsRankedBy }: Pick<Ports, "model" | "tools" | "toolsRankedBy">,
    readonly profile: ModelProfile | undefined,
  ) {
    this.model = model;
    const own = tools.filter(isTool);
    this.agents = byName(tools.filter((each): each is AgentTool | Agent => !isTool(each)));
    const found = [...own.filter(({ spec }) => !spec.always).map(({ spec }) => spec), ...this.agents.values()];
    const texts = found.map(({ name, description = "" }) => ({ name, description }));
    this.ranking = toolsRankedBy && rankingTool(toolsRankedBy, texts);
    checkName(this.ranking, own);
    this.tools = new Map([...own, ...(this.ranking ? [this.ranking] : [])].map((tool) => [tool.spec.name, tool]));
  }

  /** Whether anything is known of the models. */
  get isKnown(): boolean {
    return this.profile !== undefined || [...this.agents.values()].some(({ adapters }) => adapters.isKnown);
  }

  /** Gives those of the agent at a place; one that is only in the definition has those of its caller. */
  at(path: readonly string[] = []): Adapters {
    return path.reduce<Adapters>((found, name) => found.agents.get(name)?.adapters ?? found, this);
  }

  /** Gives what a definition has of the agents among the tools; undefined for none. */
  members(): Record<string, SubAgent> | undefined {
    if (this.agents.size === 0) return undefined;
    return Object.fromEntries([...this.agents].map(([name, each]) => [name, memberOf(each)]));
  }
}

/** Gives an agent as a tool; throws PurestepError where nothing says what it is called, and for the bare form. */
export function agentTool(
  source: string | undefined,
  toolChoice: AgentDefinition["tool_choice"],
  { name, description }: AgentToolOptions,
  adapters: Adapters,
): AgentTool {
  if (source === undefined)
    throw new PurestepError(
      "invalid_agent",
      "expected an agent with a definition; the bare form is no tool of another",
    );
  const called = name ?? nameIn(source);
  const definition = toolChoice ? writeExactly({ ...readObject(source), tool_choice: toolChoice }) : source;
  if (called) return { name: called, ...(description && { description }), definition, adapters };
  throw new PurestepError(
    "invalid_agent",
    "expected a name for an agent among the tools; give its definition a name, or call asTool({ name })",
    "/name",
  );
}

/** Gives a definition as text, with the tools and agents that a host has where it names none; undefined for the bare form. */
export function sourceOf(definition: AgentDefinition, adapters: Adapters): string;
export function sourceOf(definition: AgentDefinition | string | null, adapters: Adapters): string | undefined;
export function sourceOf(definition: AgentDefinition | string | null, adapters: Adapters): string | undefined {
  if (definition === null || typeof definition === "string") return definition ?? undefined;
  const { ranking } = adapters;
  const own = [...adapters.tools.values()].filter((tool) => tool !== ranking);
  const named: unknown = definition.tools ?? own.map(({ spec }) => spec);
  // What is no list is for the core to refuse.
  const tools = ranking && Array.isArray(named) ? [...(named as unknown[]), ranking.spec] : named;
  const agents = definition.agents ?? adapters.members();
  const ranked = ranking && { tools_ranked_by: ranking.spec.name };
  return writeExactly({ ...definition, tools, ...(agents && { agents }), ...ranked });
}

function checkName(ranking: Tool | undefined, own: readonly Tool[]): void {
  if (ranking && own.some(({ spec }) => spec.name === ranking.spec.name))
    throw new PurestepError(
      "invalid_agent",
      `a tool is named "${ranking.spec.name}", as the one is by which the others are ranked; give it another name`,
      "/tools",
    );
}

function isTool(each: AnyTool): each is Tool {
  if (typeof each === "object" && each !== null && ("spec" in each || "asTool" in each || "adapters" in each))
    return "spec" in each;
  throw new TypeError(
    `expected tools and agents in tools, as tool(...) and new Agent(...) give them; got ${typeof each}`,
  );
}

function byName(agents: readonly (AgentTool | Agent)[]): ReadonlyMap<string, AgentTool> {
  const found = new Map<string, AgentTool>();
  for (const each of agents) {
    const one = "asTool" in each ? each.asTool() : each;
    if (found.has(one.name))
      throw new PurestepError(
        "invalid_agent",
        `two agents are named "${one.name}"; give one another name: asTool({ name })`,
        "/agents",
      );
    found.set(one.name, one);
  }
  return found;
}

function memberOf({ definition, description, handOff }: AgentTool): SubAgent {
  return {
    agent: readObject(definition),
    ...(description && { description }),
    ...(handOff && { hand_off: true }),
  };
}

function readObject(definition: string): SubAgent["agent"] {
  return parseVerbatim(definition) as SubAgent["agent"];
}

/** Gives the name that a definition has; of one that cannot be read, the core says what is wrong when it is run. */
function nameIn(definition: string): string | undefined {
  try {
    const { name } = JSON.parse(definition) as { name?: unknown };
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
