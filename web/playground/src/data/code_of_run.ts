/**
 * A run as a program of one's own, in Python or JavaScript: its agent, its tools with what they returned, its question.
 *
 * A definition may come from a file or a link, so nothing of it becomes code: names that are none are replaced, and
 * every other text stands in the program as a string.
 */
import { writeExactly } from "../../../src/exact_numbers.js";
import type { AgentDefinition, SubAgent, ToolSpec } from "../../../src/generated/wire.js";
import { sanitizedJson } from "../../../src/sanitize.js";

export type Language = "Python" | "JavaScript";

export interface ToldRun {
  readonly definition: AgentDefinition;
  readonly question: string;
  /** What each tool returned last, where it did. */
  readonly results: ReadonlyMap<string, unknown>;
}

export function codeOf(language: Language, run: ToldRun): string {
  return language === "Python" ? pythonOf(run) : javaScriptOf(run);
}

/** A tool under a name that both languages take. */
interface NamedTool {
  readonly spec: ToolSpec;
  readonly name: string;
  readonly params: readonly (readonly [string, Record<string, unknown>, boolean])[];
}

/** An agent of the definition under a name that both languages take, with the name by which it is called. */
interface NamedAgent {
  readonly name: string;
  readonly called: string | undefined;
  readonly description: string | undefined;
  readonly handOff: boolean;
  readonly definition: AgentDefinition;
  readonly tools: readonly NamedTool[];
  readonly agents: readonly NamedAgent[];
}

/** Gives names to all that stands in a definition; no two are the same, though two agents may have a tool of one name. */
class Namer {
  readonly #taken = new Set<string>();
  /** The names that stand in the definition: no made one is one of them. */
  readonly #wanted: ReadonlySet<string>;
  #number = 0;

  constructor(definition: AgentDefinition) {
    this.#wanted = new Set(namesIn(definition));
  }

  /** called: the name by which another calls it; the first agent is named `agent`, which nothing else is. */
  agentOf(definition: AgentDefinition, called?: string, entry?: SubAgent): NamedAgent {
    const name = called === undefined ? "agent" : this.#nameFor(called, "agent");
    const tools = (definition.tools ?? []).filter((tool): tool is ToolSpec => typeof tool === "object");
    const { description, hand_off: handOff = false } = entry ?? {};
    const given = { called, description, handOff, definition, tools: tools.map((spec) => this.#toolOf(spec)) };
    const below = Object.entries(definition.agents ?? {});
    return { name, ...given, agents: below.map(([name, each]) => this.agentOf(each.agent, name, each)) };
  }

  #toolOf(spec: ToolSpec): NamedTool {
    const schema = spec.parameters as { properties?: Record<string, Record<string, unknown>>; required?: string[] };
    const params = Object.entries(schema?.properties ?? {}).map(
      ([name, property]) => [name, property, schema.required?.includes(name) ?? false] as const,
    );
    return { spec, name: this.#nameFor(spec.name, "tool"), params };
  }

  #nameFor(wanted: string, kind: "agent" | "tool"): string {
    const isFree = isName(wanted) && !this.#taken.has(wanted);
    const name = isFree ? wanted : this.#made(kind);
    this.#taken.add(name);
    return name;
  }

  #made(kind: string): string {
    const name = `${kind}_${++this.#number}`;
    return this.#wanted.has(name) ? this.#made(kind) : name;
  }
}

function namesIn({ tools = [], agents = {} }: AgentDefinition): string[] {
  const below = Object.entries(agents).flatMap(([name, { agent }]) => [name, ...namesIn(agent)]);
  return [...tools.map(({ name }) => name), ...below];
}

/** Gives the agents of a run, those that others call before them. */
function inOrder(agent: NamedAgent): NamedAgent[] {
  return [...agent.agents.flatMap(inOrder), agent];
}

/** Words of either language, and names that the program has for itself. */
const NAMES = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield var let const new function this null " +
    "true false typeof void delete instanceof switch case default do throw catch extends super export static enum " +
    "package private protected public interface implements arguments eval agent Agent tool tools approve model " +
    "approveEach core createAgentCore openAiModel"
  ).split(" "),
);

function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,60}$/.test(text) && !NAMES.has(text);
}

const json = (value: unknown): string => sanitizedJson(writeExactly(value));

function pythonOf(run: ToldRun): string {
  const agents = inOrder(new Namer(run.definition).agentOf(run.definition));
  return [
    "from purestep_hosts import Agent, tool",
    "",
    ...agents.flatMap(({ tools }) => tools.flatMap((each) => pythonTool(each, run))),
    "",
    "def approve(call):",
    '    return input(f"May {call.tool} run with {call.params}? ") == "yes"',
    "",
    "",
    ...agents.flatMap((each) => pythonAgent(each, each.definition === run.definition)),
    `print(agent.run_sync(${python(run.question)}).answer)`,
    "",
  ].join("\n");
}

function pythonAgent({ name, definition, tools, agents }: NamedAgent, isFirst: boolean): string[] {
  const { instructions, ...rest } = definition as AgentDefinition & Record<string, unknown>;
  const members = Object.entries(rest).filter(([member]) => PYTHON_MEMBERS.has(member));
  const below = agents.map((each) => {
    const described = each.description ? `, description=${python(each.description)}` : "";
    return `${each.name}.${each.handOff ? "as_hand_off" : "as_tool"}(name=${python(each.called)}${described})`;
  });
  return [
    `${name} = Agent(`,
    '    "openai:gpt-5",  # or "bundled", "ollama:llama3.2", a GGUF file',
    `    tools=[${[...tools.map((each) => each.name), ...below].join(", ")}],`,
    ...(isFirst ? ["    approve=approve,"] : []),
    ...(typeof instructions === "string" ? [`    instructions=${python(instructions)},`] : []),
    ...members.map(([member, value]) => `    ${member}=${python(value)},`),
    ")",
  ];
}

const PYTHON_MEMBERS = new Set([
  "name",
  "dialect",
  "limits",
  "approval",
  "answer_schema",
  "checks",
  "sampling",
  "policies",
]);
const PYTHON_TYPES: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
};

function pythonTool({ spec, name, params }: NamedTool, { results }: ToldRun): string[] {
  const hints = spec.annotations as Readonly<Record<string, unknown>> | undefined;
  const options = [
    ...(spec.name === name ? [] : [`name=${python(spec.name)}`]),
    ...(spec.description ? [`description=${python(spec.description)}`] : []),
    ...(hints?.["readOnlyHint"] === true ? ["read_only=True"] : []),
    ...(hints?.["destructiveHint"] === true ? ["destructive=True"] : []),
    ...(hints?.["openWorldHint"] === true ? ["open_world=True"] : []),
    ...(spec.approval ? [`approval=${python(spec.approval)}`] : []),
    ...(spec.checks ? [`checks=(${spec.checks.map(python).join(", ")},)`] : []),
  ];
  const isPlain = params.every(([param]) => isName(param));
  const ordered = [...params].sort(([, , a], [, , b]) => Number(b) - Number(a));
  const signature = ordered.map(([param, { type }, isRequired]) => {
    const hint = typeof type === "string" ? (PYTHON_TYPES[type] ?? "object") : "object";
    return isRequired ? `${param}: ${hint}` : `${param}: ${hint} | None = None`;
  });
  return [
    "",
    `@tool(${options.join(", ")})`,
    `def ${name}(${isPlain ? signature.join(", ") : "arguments: dict"}):`,
    `    return ${results.has(spec.name) ? python(results.get(spec.name)) : "..."}  # write here what it does`,
    "",
  ];
}

/** A value as Python writes it: JSON, but for three words, which stand in no string here. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
    return `{${Object.entries(value)
      .map(([name, member]) => `${json(name)}: ${python(member)}`)
      .join(", ")}}`;
  // Two halves of a character are one escape in Python.
  return json(value).replaceAll(/\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/g, (_, high, low) => {
    const point = (parseInt(high, 16) - 0xd800) * 0x400 + (parseInt(low, 16) - 0xdc00) + 0x10000;
    return `\\U${point.toString(16).padStart(8, "0")}`;
  });
}

function javaScriptOf(run: ToldRun): string {
  const agents = inOrder(new Namer(run.definition).agentOf(run.definition));
  return [
    'import { Agent, approveEach, createAgentCore, tool } from "purestep";',
    'import { openAiModel } from "purestep/openai";',
    "",
    ...agents.flatMap(({ tools }) => tools.flatMap((each) => javaScriptTool(each, run))),
    'const model = openAiModel({ model: "openai:gpt-5", apiKey: process.env.OPENAI_API_KEY });',
    "const approve = approveEach((call) => false); // ask a person: call.tool, call.params, call.origins",
    "const core = await createAgentCore();",
    ...agents.map((each) => javaScriptAgent(each, each.definition === run.definition)),
    `console.log((await agent.ask(${json(run.question)})).answer);`,
    "",
  ].join("\n");
}

function javaScriptTool({ spec, name }: NamedTool, { results }: ToldRun): string[] {
  return [
    `const ${name} = tool({`,
    ...Object.entries(spec).map(([member, value]) => `  ${isName(member) ? member : json(member)}: ${json(value)},`),
    `  execute: async () => (${results.has(spec.name) ? json(results.get(spec.name)) : '"..."'}), // write here what it does`,
    "});",
  ];
}

function javaScriptAgent({ name, definition: whole, tools, agents }: NamedAgent, isFirst: boolean): string {
  const { tools: _, agents: __, ...definition } = whole;
  const below = agents.map((each) => {
    const described = each.description ? `, description: ${json(each.description)}` : "";
    return `${each.name}.${each.handOff ? "asHandOff" : "asTool"}({ name: ${json(each.called)}${described} })`;
  });
  const listed = [...tools.map((each) => each.name), ...below].join(", ");
  const ports = `{ model${isFirst ? ", approve" : ""}, tools: [${listed}] }`;
  return `const ${name} = new Agent(core, ${ports}, ${json(definition)});`;
}
