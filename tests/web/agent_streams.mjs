// Streams runs: node agent_streams.mjs PACKAGE_FOLDER < CASES.json > EVENTS.json
//
// CASES: {"played": {name: {"definition", "outputs", "results", "approvals", "query"}}}; the events of each are given
// under its name. The other members of what comes out are named as the tests that read them.
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, approved, approveEach, createAgentCore, PurestepError, refused, tool } = await import(
  pathToFileURL(join(process.argv[2], "index.js")).href
);
const core = await createAgentCore({ tier: "zip" });
const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(String(reason)));

const says = (content) => JSON.stringify({ kind: "final", content });
const calls = (tool_name, args) => JSON.stringify({ kind: "tool_call", tool_name, arguments: args });

/** A model that writes its outputs in pieces; `told` is told of each piece. */
function scripted(...outputs) {
  return {
    name: "script",
    async complete(_request, reply, signal) {
      const content = outputs.shift();
      if (content === undefined) return new Promise(() => undefined); // it never answers
      for (const piece of content.match(/\s*\S+/g)) {
        if (signal.aborted) break;
        reply.text(piece);
        await new Promise((resolve) => setTimeout(resolve));
      }
      return { type: "model_output", content };
    },
  };
}

async function all(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

const codeOf = (work) =>
  work.then(
    (end) => end?.status ?? "none",
    (error) => error.code ?? error.message,
  );

function refund(ran = []) {
  return tool({
    name: "refund",
    parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
    approval: "ask",
    execute: ({ number }) => {
      ran.push(number);
      return `refunded ${number}`;
    },
  });
}

async function played({ definition, outputs, results = {}, approve, query }) {
  const tools = definition.tools.map((spec) => ({ spec, run: async () => results[spec.name].shift() }));
  const port = approve && approveEach((call) => approve[call.call_id]);
  const ports = { model: scripted(...outputs), tools, ...(port && { approve: port }) };
  return all(new Agent(core, ports, definition).stream(query));
}

/** A run that stops for a person, and goes on from its checkpoint, or its log, in an agent of its own. */
async function answered_later() {
  const found = {};
  for (const by of ["checkpoint", "log"]) {
    const ran = [];
    let log = "";
    const ports = (...outputs) => ({
      model: scripted(...outputs),
      tools: [refund(ran)],
      log: { append: (lines) => void (log += lines) },
    });
    const first = new Agent(core, ports(calls("refund", { number: 7 }) + "\n"));
    const before = await all(first.stream("Refund order 7"));
    const { checkpoint } = first;
    const later = new Agent(core, ports(says("It is refunded.")), {}, by === "checkpoint" ? { from: checkpoint } : {});
    const asked = by === "log" ? await all(later.stream({ log })) : await all(later.stream());
    const [call] = asked.find(({ type }) => type === "approval").calls;
    const after = await all(later.stream({ approvals: [approved(call, { params: { number: 8 }, by: "ann" })] }));
    const { events } = JSON.parse(core.project_log(JSON.stringify({ form: "openai", log })));
    found[by] = {
      before,
      asked,
      after,
      ran,
      items: later.getSnapshot().items,
      roles: events.map(({ role }) => role),
    };
  }
  return found;
}

/** Answers that the core refuses leave the run where it waits. */
async function refused_answers() {
  const ran = [];
  const agent = new Agent(core, {
    model: scripted(calls("refund", { number: 7 }), says("No.")),
    tools: [refund(ran)],
  });
  await agent.stream("Refund order 7").result;
  const [call] = agent.getSnapshot().approvals;
  const forged = await codeOf(agent.stream({ approvals: [approved({ ...call, key: "0".repeat(32) })] }).result);
  const stood = agent.getSnapshot();
  const misfit = await codeOf(agent.stream({ approvals: [approved(call, { params: { number: "x" } })] }).result);
  const end = await agent.stream({ approvals: [refused(call, "not now", { by: "ann" })] }).result;
  const { items } = agent.getSnapshot();
  return {
    forged,
    misfit,
    stood: [stood.status, stood.approvals.length, stood.items.at(-1).code],
    end,
    ran,
    items,
  };
}

/** What `approve` gives that is no answer is never a yes. */
async function odd_answers() {
  const found = {};
  for (const [name, answer] of Object.entries({
    text: "yes",
    number: 1,
    nothing: undefined,
    null: null,
    list: [],
  })) {
    const ran = [];
    const model = scripted(calls("refund", { number: 7 }), says("No."));
    const agent = new Agent(core, { model, tools: [refund(ran)], approve: approveEach(() => answer) });
    found[name] = [await codeOf(agent.stream("Refund order 7").result), ran.length];
  }
  return found;
}

/** A reader that leaves early stops the run; its log is whole by then. */
async function left_early() {
  let log = "";
  const model = scripted(says("One two three four five."));
  const agent = new Agent(core, { model, log: { append: (lines) => void (log += lines) } });
  let read = 0;
  for await (const event of agent.stream("Count")) if (event.type === "text" && ++read === 2) break;
  const kinds = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  return { kinds, verified: JSON.parse(core.verify_log(log)).ok, status: agent.getSnapshot().status };
}

/** Every way to leave a run whose model writes on: what its result says, the kinds of its log, and the next event. */
async function left_anyhow() {
  const ways = {
    "return while an event is awaited": async (stream) => {
      const awaited = stream.next();
      await stream.return();
      await awaited;
    },
    "an error in the loop": async (stream) => {
      const thrown = new Error("mine");
      const reading = async () => {
        for await (const _ of stream) throw thrown;
      };
      await reading().catch((error) => error === thrown || Promise.reject(error));
    },
    "a signal": async (stream, stop) => {
      await stream.next();
      stop.abort();
      await stream.result;
    },
    "a signal before the begin": async (stream, stop) => {
      stop.abort();
      await stream.result;
      await stream.return();
    },
    "a signal and the loop at once": async (stream, stop) => {
      await stream.next();
      stop.abort();
      await stream.return();
    },
  };
  const found = {};
  for (const [name, leave] of Object.entries(ways)) {
    let log = "";
    const agent = new Agent(core, { model: writing, log: { append: (lines) => void (log += lines) } });
    const stop = new AbortController();
    const stream = agent.stream("Count", { signal: stop.signal });
    await leave(stream, stop);
    const { status, code } = await stream.result;
    await stream.return();
    const kinds = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    found[name] = [status, code, kinds.at(-1), JSON.parse(core.verify_log(log)).ok, (await stream.next()).done];
  }
  const agent = new Agent(core, { model: scripted(says("Yes."), says("Again.")) });
  const stop = new AbortController();
  const first = await agent.stream("One?", { signal: stop.signal }).result;
  stop.abort(); // of a run that has ended: the next one is another's
  const second = await agent.stream("Two?").result;
  return { found, "a late signal": [first.status, second.status] };
}

/** A model that begins an answer and goes on until it is stopped. */
const writing = {
  name: "writing",
  complete: (_request, reply, signal) =>
    new Promise((_resolve, reject) => {
      reply.text('{"kind":"final","content":"One two');
      const stop = () => reject(new Error("stopped"));
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop);
    }),
};

/** Leaving at the question about a call does not cancel it. */
async function left_at_the_question() {
  const agent = new Agent(core, {
    model: scripted(calls("refund", { number: 7 }), says("Done.")),
    tools: [refund()],
  });
  for await (const event of agent.stream("Refund order 7")) if (event.type === "approval") break;
  const [call] = agent.getSnapshot().approvals;
  return (await agent.stream({ approvals: [approved(call)] }).result).status;
}

/** A stream that is left before its first event: no model is asked, whatever is asked for after that. */
async function left_before() {
  let asked = 0;
  const model = { name: "counting", complete: async () => (asked++, { type: "model_output", content: says("Yes.") }) };
  const agent = new Agent(core, { model });
  const stream = agent.stream("Go");
  await stream.return();
  const codes = [await codeOf(stream.result), await codeOf(stream.result)];
  const next = await stream.next();
  await stream.return();
  const free = await agent.stream("Another").result;
  return { codes, next: next.done, asked, free: free.status };
}

/** A second stream while one runs, two readers of one stream, and streams that nobody reads. */
async function at_once() {
  const agent = new Agent(core, { model: scripted(says("Yes."), says("Again.")) });
  const first = agent.stream("One?");
  const begun = await first.next();
  const second = await codeOf(agent.stream("Two?").result);
  const [one, two] = await Promise.all([all(first), all(first)]);
  agent.stream("Never begun");
  const third = await codeOf(agent.stream("Three?").result);
  return { second, read: 1 + one.length + two.length, begun: begun.value.type, third };
}

/** A run that nothing has begun, and definitions that are wrong. */
async function misused() {
  const model = scripted(says("Yes."));
  const misspelt = tool({ name: "look", parameters: { type: "object", propertys: {} }, execute: () => 1 });
  const wrong = new Agent(core, { model, tools: [misspelt] });
  const error = await all(wrong.stream("Go")).then(
    () => undefined,
    (thrown) => thrown,
  );
  return {
    not_begun: await codeOf(new Agent(core, { model }).stream().result),
    wrong: [error instanceof PurestepError, error.code, error.path],
    shown: wrong.getSnapshot().items.map(({ type, code }) => code ?? type),
  };
}

/** The same snapshot until something changes, and no listener that was removed is called. */
async function snapshots() {
  const agent = new Agent(core, { model: scripted(says("Good morning to you.")) });
  const seen = [];
  const { subscribe, getSnapshot } = agent; // as useSyncExternalStore takes them
  const idle = getSnapshot();
  const end = subscribe(() => seen.push(getSnapshot()));
  await agent.ask("Hello");
  end();
  const count = seen.length;
  agent.watch({ onStep: () => agent.cancel() }); // the script has no second output
  await agent.ask("Hello again");
  const answers = seen.map(({ items }) => items.at(-1)).filter(({ type }) => type === "answer");
  return {
    idle,
    same: getSnapshot() === getSnapshot(),
    distinct: new Set(seen).size === seen.length,
    silent: seen.length === count,
    grows: answers.every((item, at) => at === 0 || item.text.startsWith(answers[at - 1].text)),
    open: answers.map(({ isOpen }) => isOpen),
    last: seen.at(-1).items,
    statuses: [...new Set(seen.map(({ status }) => status))],
  };
}

/** An answer that asks the user for something, of a dialect that tells one from an answer. */
async function asked() {
  const model = scripted(JSON.stringify({ ask: "Which number?" }));
  const agent = new Agent(core, { model, tools: [refund()] }, { dialect: "compact" });
  const { question } = await agent.ask("Refund it");
  return { question, last: agent.getSnapshot().items.at(-1) };
}

async function stopped() {
  const agent = new Agent(core, { model: scripted() });
  setTimeout(() => agent.cancel("enough"), 20);
  return all(agent.stream("Go"));
}

const given = JSON.parse(await text(process.stdin));
const found = { played: {} };
for (const [name, one] of Object.entries(given.played)) found.played[name] = await played(one);
for (const test of [
  answered_later,
  refused_answers,
  odd_answers,
  left_early,
  left_anyhow,
  left_before,
  left_at_the_question,
  at_once,
  misused,
  asked,
  stopped,
])
  found[test.name] = await test();
found.snapshots = await snapshots();
console.log(JSON.stringify({ ...found, unhandled }));
process.exit(); // models that never answer would keep it
