// Runs an agent against the thinking model of a server: node thinking_model.mjs PACKAGE_FOLDER BASE_URL < AGENT.json
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);
const { Agent, createAgentCore } = await load("index.js");
const { openAiModel } = await load("models/openai.js");

const definition = JSON.parse(await text(process.stdin));
let log = "";
const shown = [];
const ports = {
  model: openAiModel({ baseUrl: process.argv[3], model: "m" }),
  log: { append: (lines) => void (log += lines) },
  clock: () => 0,
  watch: { onText: (text) => shown.push(["text", text]), onReasoning: (text) => shown.push(["reasoning", text]) },
  tools: definition.tools.map((spec) => ({ spec, run: async ({ a, b }) => ({ ok: true, output: a + b }) })),
};
const agent = new Agent(await createAgentCore(), ports, definition, { run_id: "run-1" });
const decision = await agent.ask("17 plus 25?");
console.log(JSON.stringify({ decision, log, shown }));
