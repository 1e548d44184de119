// Prints one JSON object: the windows that models say, and what becomes of them: node model_window.mjs PACKAGE_FOLDER
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.argv[2], path)).href);
const { Agent, createAgentCore, probeModel } = await load("index.js");
const { createEdgeHandler } = await load("edge/index.js");
const { openAiModel } = await load("models/openai.js");
const { promptApiModel } = await load("models/prompt_api.js");
const { webLlmModel } = await load("models/webllm.js");
const { wllamaModel } = await load("models/wllama.js");

const core = await createAgentCore();
const content = '{"kind":"final","content":"Good morning to you."}';
const complete = async () => ({ type: "model_output", content });
const narrow = { name: "narrow", windowTokens: 3000, complete };
const open = { name: "open", complete };

/** What the adapters say. */
function said() {
  const file = { url: "https://files.example/small.gguf", wasmUrl: "wllama.wasm" };
  const server = { baseUrl: "http://127.0.0.1:9/v1", model: "m" };
  const models = {
    wllama: wllamaModel(file),
    "wllama with its option": wllamaModel({ ...file, windowTokens: 512 }),
    webllm: webLlmModel({ model: "m" }),
    "webllm with its option": webLlmModel({ model: "m", windowTokens: 1024 }),
    server: openAiModel(server),
    "server with its option": openAiModel({ ...server, windowTokens: 8192 }),
    browser: promptApiModel(),
  };
  return Object.fromEntries(Object.entries(models).map(([name, model]) => [name, model.windowTokens ?? null]));
}

/** What wllama is told to load. */
async function loaded(windowTokens) {
  const settings = [];
  globalThis.Worker ??= class {}; // it is looked for before anything is fetched, and this Wllama makes none
  class Wllama {
    modelManager = {
      getModelOrDownload: async () => ({ open: async () => [new Blob(["GGUF"])] }),
      cacheManager: { open: async () => null },
    };
    setCompat() {}
    async loadModel(_, given) {
      settings.push(given.n_ctx);
    }
    getLoadedContextInfo = () => ({ success: true, n_vocab: 1 });
    async exit() {}
  }
  const wasmUrl = "data:application/wasm;base64,AGFzbQEAAAA=";
  const wllama = async () => ({ Wllama });
  const compat = { worker: "worker.js", wasm: wasmUrl }; // Node 20 has no memory of 64 bits
  const file = { url: "https://files.example/small.gguf", wasmUrl, compat };
  const model = wllamaModel({ ...file, wllama, ...windowTokens });
  await model.load().catch((error) => settings.push(String(error)));
  return { n_ctx: settings, said: model.windowTokens };
}

/** What WebLLM is told to load. */
async function created(windowTokens) {
  const gpu = { requestAdapter: async () => ({ features: new Set() }) };
  Object.defineProperty(globalThis, "navigator", { value: { gpu }, configurable: true });
  const told = [];
  const webLlm = async () => ({
    CreateMLCEngine: async (_model, _config, settings) => void told.push(settings ?? null),
  });
  await webLlmModel({ model: "m", webLlm, worker: null, ...windowTokens }).load();
  return told[0];
}

/** The models that a run's logged definition names. */
async function run(model, definition, options) {
  let log = "";
  await new Agent(core, { model, log: { append: (lines) => void (log += lines) } }, definition, options).ask("Hello");
  return modelsOf(log);
}

function modelsOf(log) {
  return JSON.parse(log.split("\n", 1)[0]).agent?.models ?? [];
}

/** Begins a run on one model and goes on on another, whose agent is made of the definition and the options. */
async function takenUp(first, second, definition, options) {
  let log = "";
  const ports = { log: { append: (lines) => void (log += lines) } };
  const began = new Agent(core, { ...ports, model: first }, {}, { run_id: "run-1" });
  await began.ask("Hello");
  const logged = JSON.parse(log.split("\n", 1)[0]).agent;
  const given = definition ?? logged;
  try {
    await new Agent(core, { ...ports, model: second }, given, options).resume(log);
    const from = began.checkpoint;
    const later = new Agent(core, { ...ports, model: second }, given, { from, ...options });
    await later.ask("And you?");
    const { ok } = JSON.parse(core.verify_log(log, JSON.parse(later.checkpoint.state).head));
    return { ok, windows: modelsOf(log).map(({ window_tokens }) => window_tokens) };
  } catch (error) {
    return error.code ?? String(error);
  }
}

/** What a checkpoint that is no state is refused with. */
async function refused(state) {
  const agent = new Agent(core, { model: narrow }, {}, { from: { state, messages: [] } });
  return agent.continueRun().then(
    () => "none",
    (error) => error.code ?? String(error),
  );
}

async function served() {
  const handler = createEdgeHandler({ core, model: narrow, host: "test", unsigned: true });
  const headers = { "Content-Type": "application/json" };
  const post = (body) => new Request("http://127.0.0.1/run", { method: "POST", headers, body: JSON.stringify(body) });
  const first = await (await handler(post({ query: "Hello" }))).json();
  const second = await (
    await handler(post({ query: "And you?", state: first.state, messages: first.messages }))
  ).json();
  return { models: modelsOf(first.log), answers: [first.result, second.result] };
}

async function probed(options) {
  let standing;
  for await (standing of probeModel(core, narrow, { quick: true, ...options })) continue;
  return standing.profile.window_tokens;
}

const found = {
  said: said(),
  loaded: { "by default": await loaded({}), "with its option": await loaded({ windowTokens: 512 }) },
  created: { "by default": await created({}), "with its option": await created({ windowTokens: 1024 }) },
  runs: {
    "no definition": await run(narrow, {}),
    "another model": await run(narrow, { models: [{ name: "wide" }] }),
    "a profile": await run(narrow, {}, { profile: { window_tokens: 9000 } }),
    "a profile of a model that says none": await run({ name: "m", complete }, {}, { profile: { window_tokens: 9000 } }),
    "the bare form": await run(narrow, null),
  },
  taken_up: {
    "from no window": await takenUp(open, narrow, {}),
    "from no window, with a level": await takenUp(open, narrow, {}, { carry: "ground" }),
    "from a window to the same": await takenUp(narrow, { ...narrow }, {}),
    "from a window to none": await takenUp(narrow, open, {}),
    "from a window to none, with the definition of the log": await takenUp(narrow, open),
    "from a window to another": await takenUp(narrow, { ...narrow, windowTokens: 5000 }, {}),
    "from a window to another, with the definition of the log": await takenUp(narrow, {
      ...narrow,
      windowTokens: 5000,
    }),
  },
  refused: [await refused("{"), await refused("null"), await refused("[]")],
  served: await served(),
  probed: { "by default": await probed({}), "with its option": await probed({ window_tokens: 2000 }) },
};
console.log(JSON.stringify(found));
