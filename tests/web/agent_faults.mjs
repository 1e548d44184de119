// Plays runs whose host misbehaves: node agent_faults.mjs PACKAGE_FOLDER > RESULTS.json, an object of what came by case.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore, loadCore, tool } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const { openAiModel } = await import(pathToFileURL(join(process.argv[2], "models", "openai.js")).href);
const core = await createAgentCore();
const CALL = '{"kind":"tool_call","tool_name":"t","arguments":{}}';
const FINAL = '{"kind":"final","content":"Done."}';
const FAILED = '{"kind":"final","content":"That failed."}';
const spec = { name: "t", parameters: { type: "object", properties: {} } };
const never = new Promise(() => undefined);

const unhandled = [];
const warnings = [];
process.on("unhandledRejection", (reason) => unhandled.push(String(reason)));
process.on("warning", (warning) => warnings.push(warning.name));

function scripted(...outputs) {
  return { name: "scripted", complete: async () => ({ type: "model_output", content: outputs.shift() }) };
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const code_of = (running) =>
  running.then(
    (ended) => ended.code ?? ended.type,
    (error) => error.code ?? error.message,
  );

/** Gives the result that the model is told of a tool, as its message has it. */
async function told_of(run) {
  const agent = new Agent(core, { model: scripted(CALL, FAILED), tools: [{ spec, run }] });
  const ended = await code_of(agent.ask("go"));
  const lines = agent.checkpoint.messages.filter(({ role }) => role === "user" || role === "tool");
  return { ended, told: lines.at(-1).content };
}

const odd_tools = {
  "gives nothing": async () => undefined,
  "gives null": async () => null,
  "gives text": async () => "text",
  "gives ok as text": async () => ({ ok: "yes" }),
  "gives an error that is no text": async () => ({ ok: false, error: { a: 1 } }),
  "throws what has no text": async () => {
    throw Object.create(null);
  },
  "throws an error without words": async () => {
    throw Object.assign(new Error(), { message: { a: 1 } });
  },
  "throws what throws": async () => {
    throw Object.defineProperty(new Error(), "message", { get: () => null.nothing });
  },
};
const tools = {};
for (const [name, run] of Object.entries(odd_tools)) tools[name] = await told_of(run);
tools["names another call"] = await told_of(async () => ({ ok: true, output: "fine", call_id: "call_9" }));

/** Stops a run while the lines of its call are written. */
async function stopped_before_the_call() {
  let ran = 0;
  const append = async (lines) => {
    if (lines.includes('"kind":"tool_call"')) agent.cancel();
    await wait(1);
  };
  const agent = new Agent(core, {
    model: scripted(CALL, FINAL),
    tools: [{ spec, run: async () => ((ran += 1), { ok: true }) }],
    log: { append },
  });
  return { ended: await code_of(agent.ask("go")), ran };
}

/** Gives the log of a run that waits for its model, under a definition. */
async function log_so_far(definition, run_id) {
  let log = "";
  void new Agent(
    core,
    { model: { name: "m", complete: () => never }, log: { append: (lines) => void (log += lines) } },
    definition,
    { run_id },
  ).ask("go");
  await wait(1);
  return log;
}

async function stopped_while_taken_up() {
  const agent = new Agent(core, { model: scripted(FINAL) });
  const running = agent.resume(await log_so_far({}, "a"));
  agent.cancel();
  return code_of(running);
}

/** Takes another run up while one is under way, which must not touch it. */
async function taken_up_while_busy() {
  let answer;
  const agent = new Agent(
    core,
    { model: { name: "m", complete: () => new Promise((resolve) => (answer = resolve)) } },
    {},
    { run_id: "a" },
  );
  const running = agent.ask("go");
  await wait(1);
  const refused = await code_of(agent.resume(await log_so_far({}, "b")));
  answer({ type: "model_output", content: FINAL });
  return { refused, ended: await code_of(running), run_id: JSON.parse(agent.checkpoint.state).run_id };
}

/** Takes up the run of another definition, whose last line, a derived one, was cut off. */
async function taken_up_by_another() {
  let log = "";
  await new Agent(
    core,
    { model: scripted(FINAL), log: { append: (lines) => void (log += lines) } },
    { name: "one" },
  ).ask("go");
  const cut = log.slice(0, log.lastIndexOf("\n", log.length - 2) + 1);
  let appended = 0;
  const agent = new Agent(
    core,
    { model: scripted(), log: { append: () => void (appended += 1) } },
    { name: "another" },
  );
  return { refused: await code_of(agent.resume(cut)), appended, is_untouched: agent.checkpoint === undefined };
}

const EVENTS = [
  "onText",
  "onReasoning",
  "onCall",
  "onRetract",
  "onStep",
  "onCalls",
  "onResult",
  "onAsked",
  "onAnswered",
];

/** Gives what becomes of a run, with its log, while everything that watches it throws, at once or later. */
async function watched_by(thrown) {
  const outputs = ["Thinking aloud.", CALL, FINAL];
  const model = {
    name: "streaming",
    async complete(_request, reply) {
      reply.text(outputs[0].slice(0, 5));
      await wait(5);
      return { type: "model_output", content: outputs.shift() };
    },
  };
  let [log, ran] = ["", 0];
  const asking = { ...spec, approval: "ask" };
  const agent = new Agent(
    core,
    {
      model,
      tools: [{ spec: asking, run: async () => ((ran += 1), { ok: true, output: 1 }) }],
      approve: async (calls) => calls.map(({ call_id, key }) => ({ call_id, key, approved: true })),
      log: { append: (lines) => void (log += lines) },
      watch: Object.fromEntries(EVENTS.map((name) => [name, thrown])),
      clock: () => 1,
    },
    undefined,
    { run_id: "watched" },
  );
  agent.subscribe(thrown);
  const ended = await code_of(agent.ask("go"));
  return { ended, ran, log, shown: agent.getSnapshot().status };
}

async function watchers_that_throw() {
  const errors = [];
  const kept = console.error;
  console.error = (words, error) => errors.push([words, String(error.message)]);
  const at_once = await watched_by(() => {
    throw new Error("at once");
  });
  const later = await watched_by(async () => {
    await wait(1);
    throw new Error("later");
  });
  await wait(20);
  console.error = kept;
  return { at_once, later, calm: await watched_by(() => undefined), errors };
}

/** Stops a run whose model writes on. */
async function text_after_the_end() {
  let shown = "";
  const model = {
    name: "stubborn",
    async complete(_request, reply) {
      reply.text('{"kind":"final","content":"Before.');
      await wait(20);
      reply.text(' After."}');
      return { type: "model_output", content: FINAL };
    },
  };
  const agent = new Agent(core, { model, watch: { onText: (text) => (shown += text) } });
  const running = agent.ask("go");
  await wait(10);
  agent.cancel();
  await running;
  await wait(30);
  return shown;
}

async function many_turns() {
  let n = 0;
  const model = {
    name: "m",
    complete: async () => ({ type: "model_output", content: ++n < 30 ? CALL.replace("{}", `{"n":${n}}`) : FINAL }),
  };
  return code_of(
    new Agent(
      core,
      { model, tools: [{ spec, run: async () => ({ ok: true, output: n }) }] },
      { limits: { max_turns: 40 } },
    ).ask("go"),
  );
}

/** Shows a text while the core, which keeps a few hundred definitions, is given more than that before each piece. */
async function definition_let_go() {
  const model = {
    name: "m",
    async complete(_request, reply) {
      for (const piece of [FINAL.slice(0, 30), FINAL.slice(30)]) {
        for (let n = 0; n < 300; n += 1) core.load_agent(JSON.stringify({ name: `other ${n}` }));
        reply.text(piece);
        await wait(5);
      }
      return { type: "model_output", content: FINAL };
    },
  };
  let shown = "";
  const agent = new Agent(core, { model, watch: { onText: (text) => (shown += text) } }, { name: "let go" });
  return { ended: await code_of(agent.ask("go")), shown };
}

/** Ends models early that do not take it well: one that rejects, one that never settles, one that writes on. */
async function ended_early() {
  const odd = {
    rejects: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gone")))),
    "never settles": () => never,
    "settles late": async () => (await wait(50), { type: "model_output", content: "late" }),
    "says that it was stopped": async () => (
      await wait(20),
      { type: "model_error", code: "unavailable", message: "stopped", retryable: false }
    ),
  };
  const found = {};
  for (const [name, settle] of Object.entries(odd)) {
    let aborted = 0;
    const model = {
      name: "m",
      complete(_request, reply, signal) {
        signal.addEventListener("abort", () => (aborted += 1));
        reply.text(FINAL);
        setTimeout(() => reply.text(" and more"), 5);
        return settle(signal);
      },
    };
    const agent = new Agent(core, { model });
    found[name] = { ended: await code_of(agent.ask("go")), said: agent.checkpoint.messages.at(-1).content, aborted };
  }
  return found;
}

async function tools_left_open() {
  const agent = new Agent(
    core,
    { model: scripted(CALL, FINAL), tools: [{ spec, run: async () => ({ ok: true, output: 1 }) }] },
    { tools: undefined },
  );
  return code_of(agent.ask("go"));
}

/** Gives the code and the message of what is thrown for parts that cannot be used; "taken" where nothing is. */
async function refused_parts() {
  const parts = {
    "a core that is not awaited": () => new Agent(loadCore(), { model: scripted(FINAL) }),
    "no core": () => new Agent({ model: scripted(FINAL) }),
    "no ports": () => new Agent(core, null),
    "no model": () => new Agent(core, {}),
    "a model's name": () => new Agent(core, { model: "gpt-5" }),
    "one tool": () => new Agent(core, { model: scripted(FINAL), tools: { spec } }),
    "approve that is no function": () => new Agent(core, { model: scripted(FINAL), approve: true }),
    "a log that is no port": () => new Agent(core, { model: scripted(FINAL), log: "log.jsonl" }),
    "a member of the definition among the ports": () => new Agent(core, { model: scripted(FINAL), instructions: "x" }),
    "an unknown option": () => new Agent(core, { model: scripted(FINAL) }, {}, { toolChoice: "none" }),
    "an unknown option of ask": () => new Agent(core, { model: scripted(FINAL) }).ask("go", { signal: 1 }),
    "an unknown option of stream": () => new Agent(core, { model: scripted(FINAL) }).stream("go", { abortSignal: 1 }),
    "another spelling of baseUrl": () => openAiModel({ baseURL: "http://127.0.0.1:1/v1", model: "m", apiKey: "k" }),
    "a server without a model": () => openAiModel({ baseUrl: "http://127.0.0.1:1/v1" }),
    "a tool without a function": () => tool({ name: "t" }),
    "no tool": () => tool(null),
  };
  const found = {};
  for (const [name, make] of Object.entries(parts)) {
    try {
      await make();
      found[name] = ["taken"];
    } catch (error) {
      found[name] = [error.code ?? error.name, error.message];
    }
  }
  return found;
}

/** Gives what the model is told of results that JSON.stringify would write as other values. */
async function formless_results() {
  const values = {
    NaN: Number.NaN,
    Infinity: [1, { a: Number.POSITIVE_INFINITY }],
    Map: new Map([[1, 2]]),
    Set: { tags: new Set(["a"]) },
    Error: new Error("x"),
    Generator: (function* () {})(),
    Response: new Response("x"),
  };
  const told = {};
  for (const [name, output] of Object.entries(values))
    told[name] = (await told_of(async () => ({ ok: true, output }))).told;
  const plain = { a: {}, b: [], c: null, d: new Date(0), e: new String(""), f: Object.create(null), g: undefined };
  told.plain = (await told_of(async () => ({ ok: true, output: plain }))).told;
  return told;
}

const results = {
  tools,
  refused_parts: await refused_parts(),
  formless_results: await formless_results(),
  stopped_before_the_call: await stopped_before_the_call(),
  stopped_while_taken_up: await stopped_while_taken_up(),
  taken_up_while_busy: await taken_up_while_busy(),
  taken_up_by_another: await taken_up_by_another(),
  watchers_that_throw: await watchers_that_throw(),
  text_after_the_end: await text_after_the_end(),
  many_turns: await many_turns(),
  definition_let_go: await definition_let_go(),
  ended_early: await ended_early(),
  tools_left_open: await tools_left_open(),
};
await wait(10);
console.log(JSON.stringify({ ...results, unhandled, warnings }));
