// Plays runs whose tools go on elsewhere: node late_results.mjs PACKAGE_FOLDER > RESULTS.json
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore, dueResults, later, lateResult, laterUntil, tool } = await import(
  pathToFileURL(join(process.argv[2], "index.js")).href
);
const core = await createAgentCore();
const NUMBER = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
const call = (name, params) => JSON.stringify({ kind: "tool_call", tool_name: name, arguments: params });
const says = (content) => JSON.stringify({ kind: "final", content });

function agentOf(outputs, { waits = false, below = [], run_id = "run-1" } = {}, ran = []) {
  const report = tool({
    name: "report",
    description: "Make a report.",
    parameters: NUMBER,
    annotations: { readOnlyHint: false },
    execute: ({ number }) => (ran.push(number), later(`job-${number}`, { note: "in an hour" })),
  });
  let log = "";
  const model = { name: "script", complete: async () => ({ type: "model_output", content: outputs.shift() }) };
  const ports = { model, tools: below.length > 0 ? below : [report], clock: () => 1000 };
  const keep = { append: (lines) => void (log += lines) };
  const definition = waits ? { tools: [{ ...report.spec, late: "wait" }] } : {};
  const agent = new Agent(core, { ...ports, log: keep }, definition, { run_id });
  return { agent, log: () => log };
}

const events = async (stream) => {
  const found = [];
  for await (const event of stream) found.push(event.type);
  return found;
};
const results = {};

// In another process, after the answer.
const first = agentOf([call("report", { number: 1 }), says("Soon.")]);
const told = await events(first.agent.stream("Report"));
const [open] = first.agent.late;
const last = agentOf([says("It has 42 pages.")]);
const ended = await last.agent.stream({ log: first.log(), results: [lateResult(open, { output: "42 pages" })] }).result;
results.answered = { told, open, answer: ended.answer, acts: ended.acts, log: first.log() + last.log() };

// Waited for: nothing runs twice, and the stream says that it waits.
const ran = [];
const waiting = agentOf([call("report", { number: 1 })], { waits: true }, ran);
const stopped = await waiting.agent.stream("Report").result;
const taken = agentOf([says("Failed.")], { waits: true }, ran);
const again = await taken.agent.stream({ log: waiting.log() }).result;
const given = await taken.agent.stream({ results: [lateResult(taken.agent.late[0], { error: "it burns" })] }).result;
const asked = agentOf([call("report", { number: 1 })], { waits: true });
const thrown = await asked.agent.ask("Report").catch((error) => `${error.code}: ${error.message}`);
results.waited = {
  statuses: [stopped.status, again.status, given.status],
  ran,
  thrown,
  log: waiting.log() + taken.log(),
};

// An agent below waits, and its call has its place.
const desk = agentOf([call("report", { number: 2 })]).agent.asTool({ name: "desk" });
const lead = agentOf([call("desk", { question: "Report" })], { below: [desk] });
await lead.agent.stream("Report").result;
const [deep] = lead.agent.late;
const rest = agentOf([says("Done.")], { below: [agentOf([says("42.")]).agent.asTool({ name: "desk" })] });
const done = await rest.agent.stream({ log: lead.log(), results: [lateResult(deep, { output: 42 })] }).result;
results.below = { path: deep.path, answer: done.answer, log: lead.log() + rest.log() };

// Of the times that a test in Python has, the handles; and of its handles, which are due.
const { times, handles, now } = JSON.parse(process.argv[3]);
const waitingFor = handles.map((handle) => ({ call_id: "call_1", tool: "wait", params: {}, key: "k", handle }));
results.times = times.map((ms) => laterUntil(new Date(ms), { note: "soon" }));
results.due = waitingFor.map((call) => dueResults([call], now).map(({ result }) => result.output));

// Of another run, whose call has the same id; then twice, and both together, which the model reads in one call.
const twoCalls = () => `[${call("report", { number: 1 })},${call("report", { number: 2 })}]`;
const two = agentOf([twoCalls(), says("Soon.")]);
await two.agent.ask("Report");
const other = agentOf([twoCalls(), says("Soon.")], { run_id: "run-2" });
await other.agent.ask("Report");
const [of2] = other.agent.late;
const refusedWith = async (given) => {
  const error = await agentOf([])
    .agent.stream({ log: two.log(), results: given })
    .result.catch((each) => each);
  return [error.code, error.message];
};
const own = two.agent.late.map((each) => lateResult(each, { output: each.handle }));
const together = agentOf([says("Both.")]);
const read = await together.agent.stream({ log: two.log(), results: [own[1], own[0]] }).result;
results.together = {
  ofAnother: await refusedWith([lateResult(of2, { output: "of another run" })]),
  twice: await refusedWith([own[0], own[0]]),
  answer: read.answer,
  log: two.log() + together.log(),
};
results.neither = [{ output: 1, error: "it burns" }, {}, { error: undefined }].map((given) => {
  try {
    return lateResult(open, given);
  } catch (error) {
    return `${error.constructor.name}: ${error.message}`;
  }
});
results.either = [{ output: null }, { output: undefined }, { error: "it burns", output: null }].map(
  (given) => lateResult(open, given).result.ok,
);

results.wrong = [
  () => later(""),
  () => later("x".repeat(513)),
  () => later("a", { note: "x".repeat(501) }),
  () => later(5),
  () => laterUntil(new Date(NaN)),
  () => laterUntil(new Date(8.64e15)),
  () => laterUntil(new Date("0000-12-31T23:59:59.999Z")),
].map((make) => {
  try {
    return String(make());
  } catch (error) {
    return error.constructor.name;
  }
});
console.log(JSON.stringify(results));
