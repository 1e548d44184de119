// Asks models behind servers, in Node or Deno: early_stop.mjs PACKAGE_FOLDER < CASES.json > RESULTS.json
//
// A case: {"url", "definition", "outcome"?: what every tool gives}. A result: {"ended", "log", "state", "shown"}.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import process from "node:process";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { Agent, createAgentCore } = await import(new URL("index.js", folder).href);
const { openAiModel } = await import(new URL("models/openai.js", folder).href);
const core = await createAgentCore();
const results = {};
for (const [name, given] of Object.entries(JSON.parse(await text(process.stdin)))) results[name] = await play(given);
console.log(JSON.stringify(results));

async function play({ url, definition, outcome }) {
  const told = { log: "", shown: "" };
  let at = 1000;
  const ports = {
    model: openAiModel({ baseUrl: url, model: "m" }),
    tools: definition.tools.map((spec) => ({ spec, run: async () => outcome })),
    log: { append: (lines) => void ((told.log += lines), (at += 1000)) },
    watch: { onText: (shown) => void (told.shown += shown) },
    clock: () => at,
  };
  const agent = new Agent(core, ports, definition, { run_id: "run-1" });
  const ended = await agent.ask("Go");
  return { ended, state: agent.checkpoint.state, ...told };
}
