/** Tools of a program's own functions, whose types come from their schema. */
import type { DueCall, Tool } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import type { ToolSpec } from "../generated/wire.js";
import {
  type AnySchema,
  isStandard,
  jsonSchemaOf,
  type JsonSchema,
  type ToJsonSchema,
  validated,
  type ValueOf,
} from "./schema.js";
import { toolOfSpec, ToolFailure } from "./tool.js";

/** As long as a tool of the native hosts may take. */
const TIME_LIMIT_MS = 60_000;

/** The call that a function runs for. */
export interface Invocation extends DueCall {
  /** Aborts when the run is stopped or the tool's time is over. */
  readonly signal: AbortSignal;
}

/** What makes a tool: its spec, with schemas of a library or JSON Schemas, and its function. */
export interface ToolOptions<Parameters extends AnySchema, Output extends AnySchema> extends Omit<
  ToolSpec,
  "parameters" | "output_schema"
> {
  /** The arguments, an object; without it there are none. */
  parameters?: Parameters;
  /** What the function returns; the core checks it. */
  output_schema?: Output;
  /** Gets the arguments as the schema gives them; throws ToolFailure with words for the model. */
  execute: (params: ValueOf<Parameters>, call: Invocation) => ValueOf<Output> | Promise<ValueOf<Output>>;
  /** How long it may take, in milliseconds; default 60,000. */
  timeLimitMs?: number;
  /** Makes the JSON Schema of a schema whose library does not give it. */
  toJsonSchema?: ToJsonSchema;
}

/**
 * Gives a tool of a function whose arguments have the type of `parameters`.
 *
 * The core checks arguments against the JSON Schema; then the library does, with its defaults, transformations and
 * checks of its own, whose words the model reads. Throws PurestepError for a schema that has no JSON Schema.
 */
export function tool<Parameters extends AnySchema = JsonSchema, Output extends AnySchema = JsonSchema>(
  options: ToolOptions<Parameters, Output>,
): Tool {
  if (typeof options?.execute !== "function")
    throw new PurestepError("invalid_input", "expected a tool with its function as execute", "/execute");
  const { parameters, output_schema, execute, timeLimitMs = TIME_LIMIT_MS, toJsonSchema, ...spec } = options;
  const schemas = {
    ...(parameters && { parameters: jsonSchemaOf(parameters, "input", toJsonSchema) }),
    ...(output_schema && { output_schema: jsonSchemaOf(output_schema, "output", toJsonSchema) }),
  };
  return toolOfSpec(
    { ...spec, ...schemas } as ToolSpec,
    async (params, call, signal) => execute(await typed(parameters, params), { ...(call as DueCall), signal }),
    timeLimitMs,
  );
}

/** Gives the arguments as their schema's output type; throws ToolFailure for those that it refuses. */
async function typed(schema: AnySchema | undefined, params: unknown): Promise<any> {
  if (!schema || !isStandard(schema)) return params;
  const result = await validated(schema, params);
  if ("wrong" in result) throw new ToolFailure(result.wrong, "invalid_arguments");
  return result.value;
}
