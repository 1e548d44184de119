// Prints the log lines of each question's run over a server whose scores are read, as a JSON list:
// node scored_run.mjs PACKAGE_FOLDER '{"options": {...}, "definition": {...}, "questions": [...]}'
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.argv[2], path)).href);
const { Agent, createAgentCore } = await load("index.js");
const { openAiModel } = await load("models/openai.js");
const { options, definition, questions } = JSON.parse(process.argv[3]);

const core = await createAgentCore();
const server = openAiModel(options);
const model = {
  name: server.name,
  scores: server.scores,
  async complete(request, reply, signal) {
    // Only what is scored is asked: what a model would write tells nothing of it.
    if (request.choices) return server.complete(request, reply, signal);
    reply.text('{"kind":"final","content":"Done."}');
    return { type: "reply_end" };
  },
};
const logs = [];
for (const question of questions) {
  const lines = [];
  const log = { append: (text) => void lines.push(text) };
  const tools = definition.tools.map((spec) => ({ spec, run: async () => ({ ok: true, output: "done" }) }));
  await new Agent(core, { model, tools, log }, definition, { carry: "ground" }).ask(question);
  logs.push(lines.join(""));
}
console.log(JSON.stringify(logs));
