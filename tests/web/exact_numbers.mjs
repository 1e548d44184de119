// Plays runs whose calls hold numbers: node exact_numbers.mjs PACKAGE_FOLDER < CASES.json > RESULTS.json
//
// A case: {"definition", "outputs": [text of the model], "edit": arguments as text or null}. A result: {"log",
// "asked": arguments as a person saw them, "got": [type, digits] of the tool's argument n} of the loop and of the edge.
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);
const { Agent, createAgentCore, parseExactly } = await load("index.js");
const { createEdgeHandler } = await load("edge/index.js");
const core = await createAgentCore();
const found = {};
found.requests = await requested('{"const":12345678901234567890,"maximum":1e22}');
for (const [name, given] of Object.entries(JSON.parse(await text(process.stdin)))) {
  found[name] = { loop: await looped(given), edge: await served(given) };
}
console.log(JSON.stringify(found));

/** Gives the schema of a tool as an OpenAI-compatible server gets it. */
async function requested(schema) {
  const { openAiModel } = await load("models/openai.js");
  let body;
  const fetch = async (_url, asked) => {
    body = asked.body;
    return new Response('{"choices":[{"message":{"content":"Done."}}]}', {
      headers: { "content-type": "application/json" },
    });
  };
  const tool = `{"name":"pay","parameters":{"type":"object","properties":{"n":${schema}}}}`;
  const definition = `{"dialect":"native","models":[{"name":"m","supports":["tools"]}],"tools":[${tool}]}`;
  const model = openAiModel({ baseUrl: "http://model.example/v1", model: "m", fetch });
  await new Agent(core, { model }, definition).ask("Go");
  return body;
}

function scripted(outputs) {
  const left = [...outputs];
  return { name: "scripted", complete: async () => ({ type: "model_output", content: left.shift() }) };
}

/** A tool that returns its argument, and notes what it got. */
function echo(spec, got) {
  const run = async ({ n }) => {
    got.push([typeof n, typeof n === "number" && Object.is(n, -0) ? "-0" : String(n)]);
    return { ok: true, output: { n } };
  };
  return { spec, run };
}

async function looped({ definition, outputs, edit }) {
  let log = "";
  const [asked, got] = [[], []];
  const ports = {
    model: scripted(outputs),
    tools: [echo(definition.tools[0], got)],
    approve: async (calls) =>
      calls.map(({ call_id, key, params_json }) => {
        asked.push(params_json);
        return { call_id, key, approved: true, ...(edit && { params: parseExactly(edit) }) };
      }),
    log: { append: (lines) => void (log += lines) },
    clock: () => 1,
  };
  await new Agent(core, ports, definition, { run_id: "run-1" }).ask("Go");
  return { log, asked, got };
}

async function served({ definition, outputs, edit }) {
  const got = [];
  const serve = createEdgeHandler({
    core,
    model: scripted(outputs),
    tools: [echo(definition.tools[0], got)],
    clock: () => 1,
    sealKeys: [{ id: "test", secret: "a-secret-of-a-test-with-32-bytes-or-more" }],
  });
  const post = async (body) => {
    const answer = await serve(
      new Request("http://edge.example/run", { method: "POST", body, headers: { "content-type": "application/json" } }),
    );
    return answer.text();
  };
  const agent = `"agent":${JSON.stringify(definition)}`;
  const waits = await post(`{${agent},"query":"Go","run_id":"run-1"}`);
  const { decision, log, seal } = JSON.parse(waits);
  if (decision.type !== "request_approval") return { log, asked: [], got };
  const asked = [/"params":(\{[^{}]*\})/.exec(waits)[1]];
  const { call_id, key } = decision.calls[0];
  const approval = `{"call_id":"${call_id}","key":"${key}","approved":true${edit ? `,"params":${edit}` : ""}}`;
  // With the state and the messages, whose digits the client has kept.
  const [, state] = /"state":(\{.*\}),"messages":/s.exec(waits);
  const [, messages] = /"messages":(\[.*\]),"log":/s.exec(waits);
  const ended = await post(
    `{${agent},"state":${state},"messages":${messages},"seal":"${seal}","approvals":[${approval}]}`,
  );
  return { log: log + JSON.parse(ended).log, asked, got };
}
