// Plays runs that execute skills: node agent_skills.mjs PACKAGE_FOLDER > RESULTS.json, an object of what came by case.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore();
const cases = JSON.parse(process.argv[3]);

/** A model that says what it is given, and keeps what it was asked. */
function scripted(outputs, asked) {
  const complete = async (request, reply) => {
    asked.push(request.messages.at(-1).content);
    const content = outputs[asked.length - 1];
    reply.text(content);
    return { type: "model_output", content };
  };
  return { name: "m", complete };
}

const results = {};
for (const [name, { definition, outputs }] of Object.entries(cases)) {
  const asked = [];
  let log = "";
  const ports = { model: scripted(outputs, asked), log: { append: (lines) => void (log += lines) }, clock: () => 0 };
  const ended = await new Agent(core, ports, definition, { run_id: "run-1" }).ask("Who?");
  results[name] = { ended, asked, log };
}
console.log(JSON.stringify(results));
