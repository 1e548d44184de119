// Plays a run whose output is stopped, and one whose calls run beside each other: node recorded.mjs WEB_DIST < GIVEN.json
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { Agent, createAgentCore } = await import(new URL("index.js", folder).href);
const { openAiModel } = await import(new URL("models/openai.js", folder).href);
const { uiMessageStream } = await import(new URL("ai_sdk/index.js", folder).href);
const core = await createAgentCore();
const { url, definition, outputs } = JSON.parse(await text(process.stdin));

const stopped = { log: "" };
const agent = new Agent(
  core,
  {
    model: openAiModel({ baseUrl: url, model: "small" }),
    log: { append: (lines) => void (stopped.log += lines) },
    // What came is known to the core once it is shown.
    watch: { onText: (shown) => void (shown.includes("so") && agent.cancel("enough")) },
  },
  { dialect: "tool_tags", sampling: { temperature: 0.5, max_tokens: 32, seed: null } },
  { run_id: "run-1" },
);
stopped.ended = await agent.ask("Go");

const beside = { log: "" };
let at = 1000;
let release;
const released = new Promise((resolve) => (release = resolve));
const tools = {
  slow: async () => (await released, (at = 5000), { ok: true, output: "slow" }),
  quick: async () => (setTimeout(release, 1), { ok: true, output: "quick" }),
};
const model = {
  name: "scripted",
  parameters: () => ({ model: "scripted", temperature: 1 }),
  async complete(_, reply) {
    const content = outputs.shift();
    reply.text(content);
    return { type: "model_output", content };
  },
};
const host = new Agent(
  core,
  {
    model,
    tools: definition.tools.map((spec) => ({ spec, run: tools[spec.name] })),
    log: { append: (lines) => void (beside.log += lines) },
    clock: () => at,
  },
  definition,
  { run_id: "run-2" },
);
beside.chunks = [];
for await (const chunk of uiMessageStream(host, { query: "Go" })) beside.chunks.push(chunk);
console.log(JSON.stringify({ stopped, beside }));
