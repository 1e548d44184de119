// Plays runs with one tool: node tool_outputs.mjs PACKAGE_FOLDER < CASES.json > RESULTS.json
//
// A case: {"definition", "outputs": [model output], "result": what the tool gives}. A result: {"ended", "log", "messages",
// "most": calls that ran at once}.
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore();
const found = {};
for (const [name, given] of Object.entries(JSON.parse(await text(process.stdin)))) found[name] = await play(given);
console.log(JSON.stringify(found));

async function play({ definition, outputs, result }) {
  let log = "";
  let running = 0;
  let most = 0;
  const [spec] = definition.tools;
  const run = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return { ok: true, output: result };
  };
  const ports = {
    model: { name: "scripted", complete: async () => ({ type: "model_output", ...outputs.shift() }) },
    tools: [{ spec, run }],
    log: { append: (lines) => void (log += lines) },
    clock: () => 1,
  };
  const agent = new Agent(core, ports, definition, { run_id: "run-1" });
  const ended = await agent.ask("Go");
  return { ended, log, messages: agent.checkpoint.messages, most };
}
