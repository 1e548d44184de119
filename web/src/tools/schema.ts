/**
 * Schemas of libraries: types, validation and JSON Schema of whatever implements Standard Schema.
 *
 * zod 4.2, ArkType 2.1.28 and valibot's `toStandardJsonSchema` also give their JSON Schema by it; no library is imported.
 * Source: standardschema.dev, Standard Schema 1 and Standard JSON Schema 1.
 */
import { PurestepError } from "../errors.js";

/** What a validation gives: the value as the schema's output type, or what is wrong with it. */
export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of a library, by the interface that they share. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema of a library, or a JSON Schema. */
export type AnySchema = StandardSchema | JsonSchema;

/** The type of the values that a schema lets through; of a JSON Schema nothing is known. */
export type ValueOf<Schema> = Schema extends StandardSchema<unknown, infer Output> ? Output : any;

/** Gives the JSON Schema of a library's schema, for one that does not give it itself. */
export type ToJsonSchema = (schema: any) => object;

/** `input`: what goes in, before defaults and transformations. `output`: what comes out. */
export type SchemaSide = "input" | "output";

const TARGET = "draft-2020-12";

/**
 * Gives the JSON Schema of a schema, for example for `answer_schema`; a JSON Schema stays as it is.
 *
 * Throws PurestepError for a library's schema that has none, unless `toJsonSchema` makes it.
 */
export function jsonSchemaOf(schema: AnySchema, side: SchemaSide = "output", toJsonSchema?: ToJsonSchema): JsonSchema {
  if (!isStandard(schema)) return schema;
  const { vendor } = schema["~standard"];
  const convert = toJsonSchema ?? converterOf(schema, side);
  if (!convert) {
    const message = `expected a schema that gives its JSON Schema, got one of ${vendor} that does not; ${adviceFor(vendor)}`;
    throw new PurestepError("invalid_input", message);
  }
  try {
    return JSON.parse(JSON.stringify(convert(schema))) as JsonSchema; // as data, without what else a library hangs on it
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new PurestepError("invalid_input", `expected a schema that JSON Schema can say, but ${vendor} says: ${said}`);
  }
}

/** Tells whether a schema is one of a library. */
export function isStandard(schema: AnySchema): schema is StandardSchema {
  return "~standard" in schema;
}

/** Gives a value as the schema's output type, or what is wrong with it in one line. */
export async function validated(
  schema: StandardSchema,
  value: unknown,
): Promise<{ value: unknown } | { wrong: string }> {
  const result = await schema["~standard"].validate(value);
  return result.issues ? { wrong: result.issues.map(issueLine).join("; ") } : { value: result.value };
}

interface OwnConverters {
  readonly "~standard": { readonly jsonSchema?: Record<SchemaSide, (options: { target: string }) => object> };
  /** zod 4.0. */
  readonly toJSONSchema?: (options: { io: SchemaSide }) => object;
  /** ArkType 2.0. */
  readonly toJsonSchema?: () => object;
}

/** Gives how a schema says its own JSON Schema; undefined where it cannot. */
function converterOf(schema: StandardSchema, side: SchemaSide): ToJsonSchema | undefined {
  const own = schema as unknown as OwnConverters;
  const { jsonSchema } = own["~standard"];
  if (jsonSchema) return () => jsonSchema[side]({ target: TARGET });
  if (own.toJSONSchema) return () => own.toJSONSchema!({ io: side });
  if (own.toJsonSchema) return () => own.toJsonSchema!();
  return undefined;
}

function adviceFor(vendor: string): string {
  return vendor === "valibot"
    ? "wrap it with toStandardJsonSchema of @valibot/to-json-schema"
    : "give toJsonSchema, a function that makes it";
}

function issueLine({ message, path = [] }: SchemaIssue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return place ? `${place}: ${message}` : message;
}
