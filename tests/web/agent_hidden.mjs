// Plays a run whose definition hides texts: node agent_hidden.mjs PACKAGE_FOLDER CASE > RESULT.json.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const { definition, query, mail } = JSON.parse(process.argv[3]);
const core = await createAgentCore();

const STAND_IN = /\[hidden [a-z_]+ [0-9a-f]{16}\]/;
const given = [];
const shown = [];
const asked = [];

/** A tool that keeps what it is given; its result has that, a hidden number among long ones, and an address. */
const tool = (name) => ({
  spec: definition.tools.find((each) => each.name === name),
  run: async ({ text }) => {
    given.push([name, text]);
    return { ok: true, output: { text, mail, number: 12345678901234567890n, card: 4111111111111111 } };
  },
});

/** Logs in with what stands for the key, posts it, and answers with what stands for the address. */
async function complete(request, reply) {
  const said = request.messages.map(({ content }) => String(content));
  asked.push(...said);
  const key = STAND_IN.exec(said.find((text) => text.includes("Log in with") && text.includes("[hidden ")))[0];
  const name = ["log_in", "post"][given.length];
  const content = name
    ? JSON.stringify({ kind: "tool_call", tool_name: name, arguments: { text: key } })
    : JSON.stringify({ kind: "final", content: `You are ${/\[hidden email [0-9a-f]{16}\]/.exec(said.at(-1))[0]}.` });
  reply.text(content);
  return { type: "model_output", content };
}

let log = "";
const ports = {
  model: { name: "m", complete },
  tools: [tool("log_in"), tool("post")],
  log: { append: (lines) => void (log += lines) },
  watch: { onResult: (call, outcome) => void shown.push([call.params_json, outcome]) },
  clock: () => 0,
};
const agent = new Agent(core, ports, definition, { run_id: "run-1" });
const ended = await agent.ask(query);
// Taken up by another agent, which knows none of the texts.
const other = new Agent(core, { ...ports, log: undefined }, definition, { from: agent.checkpoint });
const first = given.splice(0);
const lost = [];
other.ports.watch.onResult = (_, outcome) => void lost.push(outcome);
await other.ask("Log in with it again.");
const text = (value) => JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}` : item));
console.log(text({ ended, given: first, log, shown: text(shown), asked, checkpoint: text(agent.checkpoint), lost }));
