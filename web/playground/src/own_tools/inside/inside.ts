/** What runs in a sandbox around the code of tools: it collects what they are, and makes their calls. */
import * as z from "zod";
import { type AnySchema, isStandard, jsonSchemaOf, validated } from "../../../../src/tools/schema.js";
import { ToolFailure } from "../../../../src/tools/tool.js";
import { host, parse, stringify } from "./host.js";
import { arrived, givePlatform } from "./platform.js";

export * from "zod";
export { arrived, jsonSchemaOf, ToolFailure };

interface Options {
  readonly name?: string;
  /** Also under the names that other libraries have for it. */
  readonly parameters?: AnySchema;
  readonly inputSchema?: AnySchema;
  readonly input?: AnySchema;
  readonly output_schema?: AnySchema;
  readonly execute?: Execute;
  readonly run?: Execute;
}

type Execute = (params: unknown, call: { readonly key: string }) => unknown;

interface Registered {
  name: string | undefined;
  readonly spec: object;
  readonly schema: AnySchema | undefined;
  readonly execute: Execute;
}

const registered: Registered[] = [];

/** Takes what the package's `tool` takes; what the code calls it with is one of its tools. */
export function tool(options: Options): Registered {
  if (typeof options !== "object" || options === null) throw new TypeError("tool() takes an object: tool({ name, … })");
  const { name, parameters, inputSchema, input, output_schema, execute, run, ...rest } = options;
  const schema = parameters ?? inputSchema ?? input;
  const work = execute ?? run;
  if (typeof work !== "function") throw new TypeError("tool() takes a function `execute`: what the tool does");
  if (name !== undefined && typeof name !== "string") throw new TypeError("the name of a tool is a text");
  const spec = {
    ...rest,
    parameters: schema === undefined ? { type: "object", properties: {} } : jsonSchemaOf(schema, "input"),
    ...(output_schema !== undefined && { output_schema: jsonSchemaOf(output_schema, "output") }),
  };
  const made: Registered = { name, spec, schema, execute: work };
  registered.push(made);
  return made;
}

/** Gives the tools of the code in JSON. One without a name has that under which the code exports it. */
export function listed(exported: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(exported)) {
    const found = name !== "default" && registered.find((each) => each === value);
    if (found) found.name ??= name;
  }
  const taken = new Set(registered.map(({ name }) => name));
  for (const each of registered) {
    for (let number = 1; each.name === undefined; number++) {
      const name = number === 1 ? "own_tool" : `own_tool_${number}`;
      if (!taken.has(name)) taken.add((each.name = name));
    }
  }
  return stringify(registered.map(({ name, spec }) => ({ name, ...spec })));
}

/** Makes a call, and settles it with its output or what went wrong. */
export function call(id: number, name: string, params: string, key: string): void {
  outcome(name, parse(params), key).then(
    (output) => {
      let text: string | undefined;
      try {
        text = output === undefined ? "" : stringify(output);
      } catch (error) {
        return host.settle(id, false, `${name} ran; what it returned is no JSON: ${said(error)}`, "execution");
      }
      if (text === undefined) return host.settle(id, false, `${name} ran; it returned a ${typeof output}`, "execution");
      host.settle(id, true, text, "");
    },
    (error: unknown) => {
      const isTold = error instanceof ToolFailure;
      host.settle(
        id,
        false,
        isTold ? error.message : `${name} failed: ${said(error)}`,
        isTold ? error.kind : "execution",
      );
    },
  );
}

async function outcome(name: string, params: unknown, key: string): Promise<unknown> {
  const found = registered.find((each) => each.name === name);
  if (!found) throw new ToolFailure(`there is no tool ${name}`);
  return found.execute(await typed(found.schema, params), { key });
}

async function typed(schema: AnySchema | undefined, params: unknown): Promise<unknown> {
  if (schema === undefined || !isStandard(schema)) return params;
  const result = await validated(schema, params);
  if ("wrong" in result) throw new ToolFailure(result.wrong, "invalid_arguments");
  return result.value;
}

function said(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return "it does not say why";
  }
}

givePlatform();
Object.assign(globalThis, { z, tool, ToolFailure });
