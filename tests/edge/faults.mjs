// Asks a service whose parts fail: node faults.mjs; prints the answers and the lines of its log.
import { createAgentCore } from "../../web/dist/core/core.js";
import { createEdgeHandler } from "../../web/dist/edge/index.js";

const SECRET = "sk-a-secret-in-an-error";
const fail = () => {
  throw new TypeError(`cannot send header ${SECRET}`);
};
const core = { run_agent_step: fail, run_agent_step_lines: fail, core_info: fail, report: {} };
const defect = '{"error":{"code":"internal_error","message":"a defect","path":""}}';
const broken = { ...core, run_agent_step: () => defect };
const lines = [];
const onServed = (served) => lines.push(served);

async function ask(service, path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await service(new Request(`http://edge${path}`, { method: "POST", headers, body }));
  return [answer.status, await answer.json()];
}

const answers = {
  throws: await ask(createEdgeHandler({ core, unsigned: true, onServed }), "/step", "{}"),
  says: await ask(createEdgeHandler({ core: broken, unsigned: true, onServed }), "/step", "{}"),
  model: await ask(
    createEdgeHandler({ core, unsigned: true, onServed, model: { name: "m", complete: fail } }),
    "/run",
    '{"query":"a"}',
  ),
  no_model: await ask(createEdgeHandler({ core, unsigned: true, onServed }), "/run", '{"query":"a"}'),
};

// A model that talks on whether or not anybody waits for it.
let asked = 0;
const stubborn = {
  name: "stubborn",
  complete: async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 40));
    return { type: "model_output", content: "" };
  },
};
const real = await createAgentCore();
const failing = createEdgeHandler({ core: real, unsigned: true, onServed, model: { name: "m", complete: fail } });
const chat = { messages: [{ role: "user", parts: [{ type: "text", text: "a" }] }] };
const headers = { "content-type": "application/json" };
const streamed = await failing(
  new Request("http://edge/ai-sdk", { method: "POST", headers, body: JSON.stringify(chat) }),
);
const stream = [streamed.status, (await streamed.text()).trim().split("\n\n").slice(-2)];
const patient = createEdgeHandler({
  core: real,
  unsigned: true,
  model: stubborn,
  timeLimitMs: 100,
  agent: { limits: { max_corrections: 50 } },
});
const [status] = await ask(patient, "/run", '{"query":"a"}');
const at_the_answer = asked;
await new Promise((resolve) => setTimeout(resolve, 200));
console.log(
  JSON.stringify({ answers, lines, stream, stubborn: { status, asked_after_the_answer: asked - at_the_answer } }),
);
