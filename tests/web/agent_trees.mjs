// Plays agents that call others: node agent_trees.mjs PACKAGE_FOLDER < CASES.json > RESULTS.json
//
// CASES: {name: [PART, ...]}, the parts of one run, each played by agents of its own from the log so far. PART: {"agent",
// "query", "answers", "approves", "log"}; "answers" says of the amounts of calls that wait whether they are approved,
// "approves" what the port says, "log" is where a run was stopped that goes on. AGENT: {"outputs",
// "specs", "results", "members", "agents": {name: {"agent", "description"}}}; an output that is null never comes, and
// the run is cancelled when it is asked for.
import { json } from "node:stream/consumers";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, approveEach, approved, createAgentCore, refused } = await import(
  pathToFileURL(join(process.argv[2], "index.js")).href
);
const core = await createAgentCore();
const CLOCK = () => 1_000;

function scripted(outputs, never) {
  return {
    name: "script",
    async complete(_request, reply) {
      const content = outputs.shift();
      if (content === undefined) throw new Error("the script has ended");
      if (content === null) return new Promise(() => void setImmediate(never)); // once the others have their output
      reply.text(content);
      return { type: "model_output", content };
    },
  };
}

function agentOf({ outputs, specs = [], results = {}, members = {}, agents = {} }, ports, never) {
  const tools = specs.map((spec) => ({ spec, run: async () => results[spec.name].shift() }));
  const below = Object.entries(agents).map(([name, { agent, description, hand_off }]) => {
    const called = { name, ...(description && { description }) };
    const each = agentOf(agent, {}, never);
    return hand_off ? each.asHandOff(called) : each.asTool(called);
  });
  const all = { ...ports, model: scripted(outputs, never), tools: [...tools, ...below] };
  return new Agent(core, all, members, { run_id: "run-1" });
}

async function played(parts) {
  let log = "";
  const told = [];
  for (const { agent: given, query, answers, approves, log: stopped } of parts) {
    log = stopped ?? log;
    const append = (lines) => void (log += lines);
    const port = approves && approveEach(({ params }) => approves[params.amount]);
    const agent = agentOf(given, { clock: CLOCK, log: { append }, ...(port && { approve: port }) }, () =>
      agent.cancel("interrupted"),
    );
    const events = [];
    if (log !== "" && answers) {
      const waiting = [];
      for await (const event of agentOf(given, { clock: CLOCK }, () => undefined).stream({ log }))
        if (event.type === "approval") waiting.push(...event.calls);
      const approvals = waiting.flatMap((call) => {
        const answer = answers[call.params.amount];
        return answer === undefined ? [] : [answer ? approved(call) : refused(call)];
      });
      for await (const event of agent.stream({ log, approvals })) events.push(event);
    } else for await (const event of stopped ? agent.stream({ log }) : agent.stream(query)) events.push(event);
    told.push({ events, items: agent.getSnapshot().items });
  }
  return { log, told };
}

const found = {};
for (const [name, parts] of Object.entries(await json(process.stdin)))
  found[name] = await played(parts).catch((error) => ({ error: String(error) }));
console.log(JSON.stringify(found));
