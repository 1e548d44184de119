// Stops scripted runs while their calls run: node agent_resumed.mjs PACKAGE_FOLDER < CASES.json > RESULTS.json
//
// A case is {"definition", "outputs", "approvals"?, "behaviours"?: {tool: "quick" | "stops" | "late" | "deaf" | "left"}}.
// A case with behaviours is cancelled once its quick calls are back. Any other is left alone while its calls run and
// taken up by another agent, from its log and from its checkpoint; then every call answers "done".
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore();
const QUERY = "Go";
const FINAL = '{"kind":"final","content":"Settled."}';
const never = new Promise(() => undefined);
const done = async () => ({ ok: true, output: "done" });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Gives the ports of a run that keep what happens; `told` holds what has happened so far. */
function hostOf(
  { definition, outputs, approvals = [] },
  run,
  told = { log: "", at: 1000, asked: [], ran: [], said: 0 },
) {
  const kept = structuredClone(told);
  const answers = [...approvals];
  const ports = {
    model: {
      name: "scripted",
      async complete(_request, reply) {
        const content = outputs[kept.said++];
        reply.text(content);
        return { type: "model_output", content };
      },
    },
    tools: definition.tools.map((spec) => ({
      spec,
      run: (params, call, signal) => (kept.ran.push(call.call_id), run(spec.name, signal)),
    })),
    approve: async (calls) => {
      kept.asked.push(...calls.map(({ call_id, reason }) => [call_id, reason]));
      return calls.map(({ call_id, key }) => ({ call_id, key, ...answers.shift() }));
    },
    log: { append: (lines) => void ((kept.log += lines), (kept.at += 1000)) },
    clock: () => kept.at,
  };
  return { ports, told: kept, left: answers };
}

/** Gives a run that stands at its calls: its host is never heard of again. */
async function left(given) {
  const host = hostOf(given, () => never);
  const agent = new Agent(core, host.ports, given.definition, { run_id: "run-1" });
  void agent.ask(QUERY);
  while (host.told.ran.length === 0) await wait(1);
  await wait(1);
  return { agent, told: { ...host.told, ran: [] }, approvals: host.left };
}

async function takenUp(given) {
  const before = await left(given);
  const ways = { log: (agent) => agent.resume(before.told.log), checkpoint: (agent) => agent.continueRun() };
  const found = {};
  for (const [way, go] of Object.entries(ways)) {
    const { ports, told } = hostOf({ ...given, approvals: before.approvals }, done, before.told);
    const from = way === "checkpoint" ? { from: before.agent.checkpoint } : {};
    const agent = new Agent(core, ports, given.definition, from);
    const ended = await go(agent);
    found[way] = { ended, log: told.log, state: agent.checkpoint.state, asked: told.asked, ran: told.ran };
  }
  return found;
}

async function stopped(given) {
  const quick = Object.values(given.behaviours).filter((behaviour) => behaviour === "quick").length;
  const aborted = [];
  const results = [];
  let isOver = false;
  const behave = async (tool, signal) => {
    const behaviour = given.behaviours[tool];
    if (behaviour === "quick") return { ok: true, output: `${tool} is done` };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    aborted.push(tool);
    if (behaviour === "stops") throw new Error("stopped");
    if (behaviour === "late") return { ok: true, output: `${tool} had its effect` };
    await wait(3000);
    return { ok: true, output: "nobody waits for this" };
  };
  const { ports, told } = hostOf(given, behave);
  const onResult = (call, outcome) => {
    results.push([call.call_id, outcome.ok, isOver]);
    if (results.length === quick) agent.cancel("interrupted");
  };
  const agent = new Agent(core, { ...ports, watch: { onResult } }, given.definition, { run_id: "run-1" });
  const ended = await agent.ask(QUERY);
  isOver = true;
  await wait(Object.values(given.behaviours).includes("deaf") ? 1500 : 0);
  return { ended, log: told.log, state: agent.checkpoint.state, aborted, results, messages: agent.checkpoint.messages };
}

const CALL = '{"kind":"tool_call","tool_name":"t","arguments":{}}';
const PLAIN = { tools: [{ name: "t", parameters: { type: "object", properties: {} } }] };
const kindsOf = ({ log }) => log.split("\n").flatMap((line) => (line ? [JSON.parse(line).kind] : []));

/** Has an agent go on by itself after its own host failed: with the answer of a person, or with the results of calls. */
async function goesOn(failing) {
  const definition = { tools: [{ ...PLAIN.tools[0], approval: failing === "approvals" ? "ask" : "auto" }] };
  const approvals = [{ approved: true }, { approved: true }];
  const { ports, told } = hostOf({ definition, outputs: [CALL, FINAL], approvals }, done);
  let fails = 1;
  const append = (lines) => {
    const kind = failing === "approvals" ? '"kind":"approval",' : '"kind":"tool_result"';
    if (lines.includes(kind) && fails-- > 0) throw new Error("no room");
    ports.log.append(lines);
  };
  const agent = new Agent(core, { ...ports, log: { append } }, definition, { run_id: "run-1" });
  const failed = await agent.ask(QUERY).catch((error) => error.message);
  const ended = await agent.continueRun();
  return { failed, ended: ended.type, kinds: kindsOf(told), ran: told.ran };
}

/** Stops a run while the lines of its call are written. */
async function stoppedBeforeItsCall() {
  const { ports, told } = hostOf({ definition: PLAIN, outputs: [CALL, FINAL] }, done);
  const append = (lines) => {
    ports.log.append(lines);
    if (lines.includes('"kind":"tool_call"')) agent.cancel("interrupted");
  };
  const agent = new Agent(core, { ...ports, log: { append } }, PLAIN, { run_id: "run-1" });
  const ended = await agent.ask(QUERY);
  return { ended: ended.code, kinds: kindsOf(told), ran: told.ran, last: agent.checkpoint.messages.at(-1).content };
}

/** Says something else to a run that stands at a call, from its checkpoint. */
async function saidMore() {
  const given = { definition: PLAIN, outputs: [CALL, FINAL], approvals: [{ approved: false }] };
  const before = await left(given);
  const { ports, told } = hostOf({ ...given, approvals: before.approvals }, done, before.told);
  const agent = new Agent(core, ports, PLAIN, { from: before.agent.checkpoint });
  const ended = await agent.ask("And then?");
  return { ended: ended.type, kinds: kindsOf(told), ran: told.ran, asked: told.asked };
}

const cases = JSON.parse(await text(process.stdin));
const results = {};
for (const [name, given] of Object.entries(cases)) {
  results[name] = given.behaviours ? await stopped(given) : await takenUp(given);
}
results.failed_approval = await goesOn("approvals");
results.failed_results = await goesOn("results");
results.said_more = await saidMore();
results.before_its_call = await stoppedBeforeItsCall();
console.log(JSON.stringify(results));
