// Runs tools whose schemas are of libraries: node typed_tools.mjs PACKAGE_FOLDER > FOUND.json
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore, jsonSchemaOf, tool, ToolFailure } = await import(
  pathToFileURL(join(process.argv[2], "index.js")).href
);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const [{ z }, v, { type }, { toJsonSchema, toStandardJsonSchema }] = await Promise.all(
  ["zod", "valibot", "arktype", "@valibot/to-json-schema"].map(load),
);
const core = await createAgentCore({ tier: "zip" });

const says = (content) => JSON.stringify({ kind: "final", content });
const calls = (tool_name, args) => JSON.stringify({ kind: "tool_call", tool_name, arguments: args });

/** Gives what the function got of these arguments, and the results of the calls. */
async function called(options, ...given) {
  const got = [];
  const execute = (params, call) => {
    got.push(params);
    return options.execute ? options.execute(params, call) : "ran";
  };
  const outputs = [...given.map((args) => calls("t", args)), says("Over.")];
  const model = { name: "script", complete: async () => ({ type: "model_output", content: outputs.shift() }) };
  const tools = [tool({ name: "t", ...options, execute })];
  const definition = { limits: { max_corrections: 5 } };
  const results = [];
  for await (const event of new Agent(core, { model, tools }, definition).stream("Go"))
    if (event.type === "result") results.push(event.ok ? event.output : `${event.error_kind}: ${event.error}`);
    else if (event.type === "done") results.push(event.status);
  return { got, results, parameters: tools[0].spec.parameters };
}

const thrown = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
};

const OBJECTS = {
  zod: z.object({ number: z.number().int(), city: z.string().default("Oslo") }),
  valibot: toStandardJsonSchema(
    v.object({ number: v.pipe(v.number(), v.integer()), city: v.optional(v.string(), "Oslo") }),
  ),
  arktype: type({ number: "number.integer", city: "string = 'Oslo'" }),
};
const found = { libraries: {} };
for (const [name, parameters] of Object.entries(OBJECTS))
  found.libraries[name] = await called({ parameters }, { number: 7 }, { number: "x" }, { number: 8, city: "Bergen" });

found.refined = await called(
  {
    parameters: z.object({
      items: z.array(z.object({ n: z.number().refine(async (n) => n % 2 === 1, "must be odd") })),
    }),
  },
  { items: [{ n: 1 }, { n: 2 }] },
  { items: [{ n: 3 }] },
);
found.transformed = await called(
  { parameters: z.object({ day: z.iso.date().transform((day) => new Date(day)) }) },
  { day: "2026-01-02" },
);
found.output = await called(
  {
    parameters: z.object({ n: z.number() }),
    output_schema: z.object({ sum: z.number() }),
    execute: ({ n }) => ({ sum: n ? n : "no" }),
  },
  { n: 0 },
  { n: 1 },
);
found.failing = await called(
  {
    parameters: z.object({ n: z.number() }),
    execute({ n }) {
      if (n === 1) throw new ToolFailure("there is no order 1", "invalid_arguments");
      throw new RangeError("out of paper");
    },
  },
  { n: 1 },
  { n: 2 },
);
found.slow = await called(
  {
    execute: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    timeLimitMs: 20,
  },
  {},
);
found.acting = {};
const endless = {};
endless.self = endless;
for (const [name, execute] of Object.entries({
  late: () => new Promise(() => undefined),
  endless: () => endless,
  function: () => () => 1,
  large: () => "x".repeat(1_000_001),
}))
  found.acting[name] = await called(
    { annotations: { destructiveHint: true }, approval: "auto", timeLimitMs: name === "late" ? 20 : 60_000, execute },
    {},
    {},
  );
found.handed_over = thrown(
  () => tool({ name: "t", parameters: v.object({ n: v.number() }), toJsonSchema, execute: () => 1 }).spec.parameters,
);
found.answer_schema = thrown(() => jsonSchemaOf(z.object({ total: z.number().default(0) })));
found.plain = jsonSchemaOf({ type: "object" });
found.without_json_schema = [
  thrown(() => tool({ name: "t", parameters: v.object({ n: v.number() }), execute: () => 1 })),
  thrown(() => tool({ name: "t", parameters: z.object({ day: z.date() }), execute: () => 1 })),
  thrown(() =>
    tool({
      name: "t",
      parameters: { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } },
      execute: () => 1,
    }),
  ),
];
console.log(JSON.stringify(found));
process.exit();
