/**
 * A run as a program of one's own, in Python or JavaScript: its agent, its tools with what they returned, its question.
 *
 * A definition may come from a file or a link, so nothing of it becomes code: names that are none are replaced, and
 * every other text stands in the program as a string.
 */
import { writeExactly } from "../../../src/exact_numbers.js";
import type { AgentDefinition, ToolSpec } from "../../../src/generated/wire.js";
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

function namedTools({ definition }: ToldRun): NamedTool[] {
  const tools = (definition.tools ?? []).filter((tool): tool is ToolSpec => typeof tool === "object");
  const taken = new Set(tools.map(({ name }) => name));
  let number = 0;
  const freshName = (): string => {
    do number++;
    while (taken.has(`tool_${number}`));
    return `tool_${number}`;
  };
  return tools.map((spec) => {
    const schema = spec.parameters as { properties?: Record<string, Record<string, unknown>>; required?: string[] };
    const params = Object.entries(schema?.properties ?? {}).map(
      ([name, property]) => [name, property, schema.required?.includes(name) ?? false] as const,
    );
    return { spec, name: isName(spec.name) ? spec.name : freshName(), params };
  });
}

/** Words of either language, and names that the program has for itself. */
const NAMES = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield var let const new function this null " +
    "true false typeof void delete instanceof switch case default do throw catch extends super export static enum " +
    "package private protected public interface implements arguments eval agent Agent tool tools approve model " +
    "approveEach createAgentCore openAiModel definition ports"
  ).split(" "),
);

function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,60}$/.test(text) && !NAMES.has(text);
}

const json = (value: unknown): string => sanitizedJson(writeExactly(value));

function pythonOf(run: ToldRun): string {
  const tools = namedTools(run);
  const {
    tools: _,
    instructions,
    skills: __,
    models: ___,
    ...rest
  } = run.definition as AgentDefinition & Record<string, unknown>;
  const members = Object.entries(rest).filter(([name]) => PYTHON_MEMBERS.has(name));
  return [
    "from purestep_hosts import Agent, tool",
    "",
    ...tools.flatMap((each) => pythonTool(each, run)),
    "",
    "def approve(call):",
    '    return input(f"May {call.tool} run with {call.params}? ") == "yes"',
    "",
    "",
    "agent = Agent(",
    '    "openai:gpt-5",  # or "bundled", "ollama:llama3.2", a GGUF file',
    `    tools=[${tools.map(({ name }) => name).join(", ")}],`,
    "    approve=approve,",
    ...(typeof instructions === "string" ? [`    instructions=${python(instructions)},`] : []),
    ...members.map(([name, value]) => `    ${name}=${python(value)},`),
    ")",
    `print(agent.run_sync(${python(run.question)}).answer)`,
    "",
  ].join("\n");
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
  const tools = namedTools(run);
  const { tools: _, ...definition } = run.definition;
  return [
    'import { Agent, approveEach, createAgentCore, tool } from "purestep";',
    'import { openAiModel } from "purestep/openai";',
    "",
    ...tools.flatMap(({ spec, name }) => [
      `const ${name} = tool({`,
      ...Object.entries(spec).map(([member, value]) => `  ${isName(member) ? member : json(member)}: ${json(value)},`),
      `  execute: async () => (${run.results.has(spec.name) ? json(run.results.get(spec.name)) : '"..."'}), // write here what it does`,
      "});",
    ]),
    'const model = openAiModel({ model: "openai:gpt-5", apiKey: process.env.OPENAI_API_KEY });',
    "const approve = approveEach((call) => false); // ask a person: call.tool, call.params, call.origins",
    `const definition = ${json(definition)};`,
    `const ports = { model, approve, tools: [${tools.map(({ name }) => name).join(", ")}] };`,
    "const agent = new Agent(await createAgentCore(), ports, definition);",
    `console.log((await agent.ask(${json(run.question)})).answer);`,
    "",
  ].join("\n");
}
