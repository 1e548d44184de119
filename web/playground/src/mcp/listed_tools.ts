/** The tools that an MCP server lists, read one by one: what is wrong with one of them costs that one. */
import type { AnyCore } from "../../../src/core/core.js";
import { accepted } from "../../../src/errors.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import type { ToolSpec } from "../../../src/generated/wire.js";
import { wordsOf } from "../data/notices.js";

/** More do not fit the prompt of most models. */
const MAX_TOOLS = 64;
/** Several times what good ones have: all of them stand in every prompt. */
const MAX_DESCRIPTION_CHARS = 2000;
/** Providers with native tool calls take as many. */
const MAX_NAME_CHARS = 64;
const DIGEST_CHARS = 8;

export interface Listed {
  /** The server's own name of it. */
  readonly name: string;
  readonly spec: ToolSpec;
  readonly output_schema: object | undefined;
}

interface Entry {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>> | null;
}

/** Gives what can be used of a list, and in a sentence each what is left out and why. */
export async function listedTools(
  core: Pick<AnyCore, "load_agent">,
  entries: readonly unknown[],
  server: string,
): Promise<{ tools: Listed[]; warnings: string[] }> {
  const tools: Listed[] = [];
  const warnings: string[] = [];
  for (const [index, entry] of entries.slice(0, MAX_TOOLS).entries()) {
    const { name } = (entry ?? {}) as Entry;
    const shown = typeof name === "string" && name !== "" ? JSON.stringify(name.slice(0, 120)) : `number ${index + 1}`;
    try {
      const taken = new Set(tools.map(({ spec }) => spec.name));
      if (tools.some((tool) => tool.name === name)) throw new Error("it is listed twice; the first one is used");
      tools.push(await listedTool(core, (entry ?? {}) as Entry, server, taken));
    } catch (error) {
      warnings.push(`The tool ${shown} is left out: ${wordsOf(error)}`);
    }
  }
  if (entries.length > MAX_TOOLS)
    warnings.push(`It lists ${entries.length} tools, of which the first ${MAX_TOOLS} are used.`);
  return { tools, warnings };
}

async function listedTool(
  core: Pick<AnyCore, "load_agent">,
  { name, title, description, inputSchema, outputSchema, annotations }: Entry,
  server: string,
  taken: ReadonlySet<string>,
): Promise<Listed> {
  if (typeof name !== "string" || name === "") throw new Error("it has no name");
  if (!isObject(inputSchema)) throw new Error("it has no inputSchema");
  const hint = (which: string, usual: boolean): boolean => {
    const given = isObject(annotations) ? annotations[which] : undefined;
    return typeof given === "boolean" ? given : usual;
  };
  const reads = hint("readOnlyHint", false);
  const said = [description, title].find((each) => typeof each === "string" && each !== "") as string | undefined;
  const spec: ToolSpec = {
    name: await fitName(server, name, taken),
    description: (said ?? "").slice(0, MAX_DESCRIPTION_CHARS),
    parameters: withoutNull(inputSchema) as Record<string, unknown>,
    // MCP's own defaults for the hints that a server does not give.
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && hint("destructiveHint", true),
      idempotentHint: reads || hint("idempotentHint", false),
      openWorldHint: hint("openWorldHint", true),
    },
    labels: ["open"],
    approval: reads ? "auto" : "ask",
  };
  accepted(await core.load_agent(writeExactly({ tools: [spec] })));
  return { name, spec, output_schema: isObject(outputSchema) ? outputSchema : undefined };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members that are null count as absent, but where null is a value. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? withoutNull(each) : each));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, each]) => each !== null || name === "const" || name === "default");
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNull(each)]));
}

/** Gives SERVER__TOOL of characters that every provider takes; one too long, or taken, ends with a digest. */
async function fitName(server: string, tool: string, taken: ReadonlySet<string>): Promise<string> {
  const name = `${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
  if (name.length <= MAX_NAME_CHARS && !taken.has(name)) return name;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tool)));
  const digest = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${name.slice(0, MAX_NAME_CHARS - DIGEST_CHARS - 1)}_${digest.slice(0, DIGEST_CHARS)}`;
}
