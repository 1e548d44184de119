// Runs agents below agents: node agent_trees_told.mjs PACKAGE_FOLDER > RESULTS.json, what came by the test that reads it.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, approved, approveEach, createAgentCore, refused, tool } = await import(
  pathToFileURL(join(process.argv[2], "index.js")).href
);
const { uiMessageStream } = await import(pathToFileURL(join(process.argv[2], "ai_sdk/index.js")).href);
const core = await createAgentCore();
const says = (content) => JSON.stringify({ kind: "final", content });
const calls = (tool_name, args) => JSON.stringify({ kind: "tool_call", tool_name, arguments: args });
const asks = (name, question = "Go") => calls(name, { question });
const both = (...outputs) => `[${outputs.join()}]`;
const AMOUNT = { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] };

/** A model that says its outputs word by word; an output that is a function gives, or throws, what it likes. */
function scripted(...outputs) {
  const model = { name: "script", requests: [] };
  model.complete = async (request, reply, signal) => {
    model.requests.push(request);
    const output = outputs.shift();
    if (typeof output === "function") return output(signal);
    for (const piece of output.match(/\s*\S+/g)) {
      reply.text(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { type: "model_output", content: output };
  };
  return model;
}

function pay(paid = [], approval = "ask") {
  const execute = ({ amount }) => (paid.push(amount), `${amount} paid`);
  return tool({ name: "pay", parameters: AMOUNT, approval, execute });
}

const agent = (name, model, tools = [], rest = {}) => new Agent(core, { model, tools, ...rest }, { name });

async function all(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

const codeOf = async (work) => {
  try {
    return await work();
  } catch ({ code, message, path }) {
    return { code, message, path };
  }
};

/** Two agents whose tools wait for each other, and whose texts come in pieces. */
async function side_by_side() {
  let met = 0;
  let meet;
  const meeting = new Promise((resolve) => (meet = resolve));
  const wait = tool({
    name: "wait",
    annotations: { readOnlyHint: true },
    execute: () => (++met === 2 && meet(), meeting.then(() => "met")),
  });
  const one = (name) => agent(name, scripted(calls("wait", {}), says(`${name} has met.`)), [wait]);
  const lead = agent("lead", scripted(both(asks("a"), asks("b")), says("Both have met.")), [one("a"), one("b")]);
  const shown = [];
  lead.subscribe(() => shown.push(...lead.getSnapshot().items.filter(({ type }) => type === "answer")));
  const events = await all(lead.stream("Meet"));
  return { events, items: lead.getSnapshot().items, shown: [...new Set(shown.map(({ text }) => text))] };
}

/** A watcher that knows of no agents, and one that does. */
async function watched() {
  const plain = [];
  const below = [];
  const watch = { onText: (text) => plain.push(text), onResult: ({ tool, path }) => plain.push([tool, path ?? null]) };
  const desk = agent("desk", scripted(calls("pay", { amount: 5 }), says("5 paid.")), [pay([], "auto")]);
  const lead = agent("lead", scripted(asks("desk"), says("Done.")), [desk], { watch });
  lead.watch({ below: ({ path }) => ({ onText: (text) => below.push([...path, text]) }) });
  await lead.ask("Pay");
  return {
    plain: [
      plain.filter((each) => typeof each !== "string"),
      plain.filter((each) => typeof each === "string").join(""),
    ],
    below,
  };
}

/** Each model is sent its own instructions and tools, and what is known of it stands in its agent's definition. */
async function own_models() {
  let log = "";
  const small = { ...scripted(says("5.")), name: "small", windowTokens: 4_096 };
  const desk = new Agent(core, { model: small, tools: [pay()] }, { name: "desk", instructions: "You pay." });
  const large = scripted(asks("desk", "Pay 5"), says("Done."));
  const append = (lines) => void (log += lines);
  const lead = new Agent(
    core,
    { model: large, tools: [desk.asTool({ description: "Pays." })], log: { append } },
    { instructions: "You lead." },
  );
  await lead.ask("Pay Tom");
  const { agent: definition } = JSON.parse(log.split("\n")[0]);
  const sent = (model) => model.requests.map(({ messages }) => messages.map(({ content }) => content).join("\n"));
  return {
    definition,
    small: sent(small),
    large: sent(large),
    stands: [desk.checkpoint ?? null, desk.getSnapshot().status],
  };
}

/** A definition with agents of which this program has made none. */
async function from_the_definition_alone() {
  const spec = pay().spec;
  const definition = { agents: { desk: { agent: { instructions: "You pay.", tools: [spec] } } }, tools: [] };
  const paid = [];
  const model = {
    ...scripted(asks("desk"), calls("pay", { amount: 5 }), says("Paid."), says("Done.")),
    windowTokens: 4_096,
  };
  const lead = new Agent(core, { model, tools: [pay(paid)], approve: approveEach(() => true) }, definition);
  const end = await lead.ask("Pay");
  return { end: end.answer, paid, acts: end.acts.map(({ path }) => path) };
}

/** An agent whose dialect is another one, in a core that has so many definitions that it does without this agent's. */
async function another_dialect() {
  let log = "";
  const ports = { log: { append: (lines) => void (log += lines) } };
  const outputs = ['<tool_call>\n{"name": "pay", "arguments": {"amount": 5}}\n</tool_call>', "5 paid."];
  const team = (complete, source) => {
    const said = scripted(...outputs);
    const model = { name: "script", complete: (request, reply) => complete(said, request, reply) };
    const desk = new Agent(core, { model, tools: [pay([], "auto")] }, { name: "desk", dialect: "hermes_json" });
    return new Agent(core, { model: scripted(asks("desk"), says("Done.")), tools: [desk], ...ports }, source);
  };
  await team((said, ...given) => said.complete(...given), {}).ask("Pay");
  const source = JSON.stringify(JSON.parse(log.split("\n")[0]).agent); // as the core keeps it
  const crowded = (said, ...given) => {
    for (let at = 0; at < 2_000; at++) core.load_agent(at % 50 ? JSON.stringify({ name: `other ${at}` }) : source);
    return said.complete(...given);
  };
  const events = await all(team(crowded, source).stream("Pay"));
  return events.filter(({ type }) => type === "text").map(({ text, path = [] }) => [...path, text]);
}

/** A log that fails between the results of two agents: the second call ran, and no line says so. */
async function failing_log() {
  const paid = [];
  const reasons = [];
  let fails = 1;
  const append = (lines) => {
    if (lines.includes('"2 paid"') && fails-- > 0) throw new Error("the disk is full");
  };
  const one = (name, amount) =>
    agent(name, scripted(calls("pay", { amount }), says("Paid."), says("Paid.")), [pay(paid, "auto")]);
  const lead = agent("lead", scripted(both(asks("a"), asks("b")), says("Done.")), [one("a", 1), one("b", 2)], {
    log: { append },
    approve: approveEach(({ path, reason }) => (reasons.push([...path, reason]), false)),
  });
  const { message } = await codeOf(() => lead.ask("Pay"));
  const end = await lead.continueRun();
  return { message, end: end.answer, paid, reasons };
}

/** What cannot be an agent among tools. */
async function wrong() {
  const model = scripted();
  const desk = agent("desk", model);
  return {
    text: await codeOf(() => agent("lead", model, ["desk"])),
    two: await codeOf(() => agent("lead", model, [desk, desk])),
    nameless: await codeOf(() => new Agent(core, { model }).asTool()),
    bare: await codeOf(() => new Agent(core, { model }, null).asTool({ name: "bare" })),
    taken: await codeOf(() => agent("lead", model, [pay(), desk.asTool({ name: "pay" })]).ask("Go")),
    deep: await codeOf(() => {
      const three = ["a", "b", "c"].reduce((below, name) => agent(name, model, [below]), desk);
      return agent("lead", model, [three]).ask("Go");
    }),
  };
}

/** Two that wait, answered by key from a checkpoint that was stored as JSON. */
async function by_checkpoint() {
  const paid = [];
  const one = (name, ...outputs) => agent(name, scripted(...outputs), [pay(paid)]);
  const team = (outputs, a, b, rest = {}) =>
    new Agent(core, { model: scripted(...outputs), tools: [one("a", ...a), one("b", ...b)] }, {}, rest);
  const first = team([both(asks("a"), asks("b"))], [calls("pay", { amount: 1 })], [calls("pay", { amount: 2 })]);
  await first.stream("Pay").result;
  const from = JSON.parse(JSON.stringify(first.checkpoint));
  const asked = first.getSnapshot().approvals;
  const later = team([says("Done.")], [says("1 paid.")], [says("No.")], { from });
  const half = await later.stream({ approvals: [approved(asked[0])] }).result;
  const left = later.getSnapshot().approvals.map(({ path, params }) => [path, params.amount]);
  const stale = await codeOf(() => later.stream({ approvals: [approved(asked[0])] }).result);
  const end = await later.stream({ approvals: [refused(asked[1], "no")] }).result;
  const { children: _, ...without } = from;
  const lost = await codeOf(() => team([], [], [], { from: without }));
  return { asked: asked.map(({ path }) => path), half: half.status, left, stale: stale.code, end, paid, lost };
}

/** A reader that leaves while an agent two levels down is asked. */
async function left_early() {
  let log = "";
  let begun;
  const asked = new Promise((resolve) => (begun = resolve));
  const never = (signal) => (
    begun(),
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  );
  const desk = agent("desk", scripted(never));
  const middle = agent("middle", scripted(asks("desk")), [desk]);
  const lead = agent("lead", scripted(asks("middle")), [middle], { log: { append: (lines) => void (log += lines) } });
  const stream = lead.stream("Go");
  const result = stream.result;
  await asked;
  await stream.return();
  const { state } = JSON.parse(core.replay_log(log));
  return {
    code: (await result).code,
    phase: state.phase,
    pending: state.pending ?? [],
    ok: JSON.parse(core.verify_log(log, state.head)).ok,
  };
}

/** One agent's model breaks the program while another pays: nobody knows of that, so a person is asked. */
async function broken() {
  const paid = [];
  const reasons = [];
  const fails = () => {
    throw new Error("no model");
  };
  const a = agent("a", scripted(calls("pay", { amount: 1 }), says("I may not have paid.")), [pay(paid, "auto")]);
  const b = agent("b", scripted("{{{", fails, says("Here.")));
  const lead = agent("lead", scripted(both(asks("a"), asks("b")), says("Done.")), [a, b], {
    approve: approveEach(({ path, reason }) => (reasons.push([...path, reason]), false)),
  });
  const { message } = await codeOf(() => lead.ask("Pay"));
  const end = await lead.continueRun();
  return { message, end: end.answer, paid, reasons };
}

/** A person is asked about several agents one after the other. */
async function asked_in_turn() {
  const order = [];
  const one = (name) => agent(name, scripted(calls("pay", { amount: 1 }), says("Paid.")), [pay()]);
  const approve = async (waiting) => {
    order.push(["begins", waiting[0].path]);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(["ends", waiting[0].path]);
    return waiting.map((call) => approved(call));
  };
  const lead = agent("lead", scripted(both(asks("a"), asks("b")), says("Done.")), [one("a"), one("b")], { approve });
  return { end: (await lead.ask("Pay")).answer, order };
}

/** A chat whose answers come back in the parts of its messages; by: the agent that asked, or another with its log. */
async function in_a_chat() {
  const found = {};
  for (const by of ["agent", "log"]) {
    let log = "";
    const team = (lead, clerk) =>
      agent("lead", scripted(...lead), [agent("desk", scripted(...clerk), [pay()])], {
        log: { append: (lines) => void (log += lines) },
      });
    const first = team([asks("desk"), says("Done.")], [calls("pay", { amount: 5 }), says("Paid.")]);
    const chunks = [];
    for await (const chunk of uiMessageStream(first, { query: "Pay" })) chunks.push(chunk);
    const { approvalId: id, toolCallId } = chunks.find(({ type }) => type === "tool-approval-request");
    const part = {
      type: "dynamic-tool",
      toolName: "pay",
      toolCallId,
      state: "approval-responded",
      input: { amount: 5 },
    };
    const answered = { id: "a", role: "assistant", parts: [{ ...part, approval: { id, approved: true } }] };
    const later = by === "agent" ? first : team([says("Done.")], [says("Paid.")]);
    const options = { messages: [answered], ...(by === "log" && { log }) };
    const texts = [];
    for await (const chunk of uiMessageStream(later, options))
      if (["text-delta", "error"].includes(chunk.type)) texts.push(chunk.delta ?? chunk.errorText);
    found[by] = { toolCallId, texts: texts.join("") };
  }
  return found;
}

const found = {};
for (const each of [
  side_by_side,
  watched,
  own_models,
  from_the_definition_alone,
  another_dialect,
  failing_log,
  wrong,
  by_checkpoint,
  left_early,
  broken,
  asked_in_turn,
  in_a_chat,
])
  found[each.name] = await each();
console.log(JSON.stringify(found));
