// Runs the WebLLM adapter on an engine of WebLLM's documented shapes, and its requests through WebLLM's own check.
// Prints one JSON object: what each case below gave.
import { ModelType, postInitAndCheckFieldsChatCompletion } from "../../web/node_modules/@mlc-ai/web-llm/lib/index.js";
import { Agent, createAgentCore } from "../../web/dist/index.js";
import { OutputGate } from "../../web/dist/agent/output_gate.js";
import { webLlmModel, webLlmModels, webLlmRequest } from "../../web/dist/models/webllm.js";
import { observed } from "./observed.mjs";

const core = await createAgentCore();

const MODEL = "SmolLM2-360M-Instruct-q4f16_1-MLC";
const REQUEST = { messages: [{ role: "user", content: "hi" }] };
const NEVER = new AbortController().signal;
const TAGS = {
  type: "structural_tag",
  format: {
    type: "triggered_tags",
    triggers: ["<call>"],
    tags: [{ type: "tag", begin: "<call>", content: { type: "json_schema", json_schema: {} }, end: "</call>" }],
  },
};

/** One chunk of a WebLLM stream. */
function chunk(content, finish_reason = null) {
  const choices = [{ index: 0, delta: { role: "assistant", content }, finish_reason, logprobs: null }];
  return { id: "1", object: "chat.completion.chunk", created: 1, model: MODEL, choices };
}

const USAGE = {
  ...chunk(""),
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, extra: {} },
};
const HELLO = [chunk("Hel"), chunk("lo"), chunk("", "stop"), USAGE];

/** An engine that streams what it is given; `thrown` is thrown after that, or by create if there is nothing. */
class FakeEngine {
  interruptions = 0;
  running = 0;
  most_running = 0;
  requests = [];
  yielded = [];

  constructor(chunks, { thrown, wait_ms = 0, forgets_first = false } = {}) {
    Object.assign(this, { chunks, thrown, wait_ms, forgets_first });
    this.chat = { completions: { create: (request) => this.#create(request) } };
  }

  async #create(request) {
    this.requests.push(structuredClone(request)); // as a worker gets it
    postInitAndCheckFieldsChatCompletion(request, MODEL, ModelType.LLM);
    if (this.chunks.length === 0) throw this.thrown;
    return this.#stream();
  }

  async *#stream() {
    this.most_running = Math.max(this.most_running, ++this.running);
    try {
      this.interrupted = false;
      this.yielded.push(0);
      for (const piece of this.chunks) {
        if (this.interrupted)
          return void (yield chunk("", "abort"), yield { ...USAGE, usage: { prompt_tokens: 0, completion_tokens: 0 } });
        await new Promise((resolve) => setTimeout(resolve, this.wait_ms));
        this.yielded[this.yielded.length - 1]++;
        yield piece;
      }
      if (this.thrown) throw this.thrown;
    } finally {
      this.running--;
    }
  }

  interruptGenerate() {
    this.interruptions++;
    if (!(this.forgets_first && this.interruptions === 1)) this.interrupted = true;
  }

  async unload() {}
}

async function ask(engine, request = REQUEST, options = {}) {
  const texts = [];
  const model = webLlmModel({ model: MODEL, engine, ...options });
  const on_text = (text) => texts.push(text);
  const observation = await observed({ OutputGate, core }, model, request, on_text, options.signal ?? NEVER);
  return { observation, texts };
}

function named(name, message) {
  return Object.assign(new Error(message), { name });
}

const WINDOW =
  "Prompt tokens exceed context window size: number of prompt tokens: 5000; context window size: 4096\nConsider";

const cases = {
  async hello() {
    const engine = new FakeEngine(HELLO);
    return { ...(await ask(engine)), request: engine.requests[0] };
  },
  async errors() {
    const errors = {
      overflow: named("ContextWindowSizeExceededError", WINDOW),
      "overflow across a worker": `ContextWindowSizeExceededError: ${WINDOW}`,
      "device lost": named("DeviceLostError", "The WebGPU device was lost while loading the model."),
      "not loaded": "ModelNotLoadedError: Model not loaded before trying to complete x.",
      "bad grammar": named("GrammarMatcherInitError", "Failed to initialize the grammar matcher"),
      unknown: new Error("something"),
      "plain text": "what is this",
      nothing: undefined,
    };
    const found = {};
    for (const [name, thrown] of Object.entries(errors)) {
      found[name] = [
        (await ask(new FakeEngine([], { thrown }))).observation,
        ...(thrown ? [(await ask(new FakeEngine([chunk("x")], { thrown }))).observation] : []),
      ];
    }
    return found;
  },
  async misfits() {
    const engine = new FakeEngine(HELLO);
    const tools = { ...REQUEST, tools: [{ type: "function", function: { name: "x" } }] };
    const last = { messages: [...REQUEST.messages, { role: "assistant", content: "x" }] };
    const order = { messages: [...REQUEST.messages, { role: "system", content: "x" }, ...REQUEST.messages] };
    return {
      tools: await ask(engine, tools),
      last: await ask(engine, last),
      format: await ask(engine, { ...REQUEST, response_format: { type: "regex", pattern: "a+" } }),
      order: await ask(engine, order),
      sampling: await ask(engine, { ...REQUEST, sampling: { seed: 1.5 } }),
    };
  },
  async stopped() {
    const engine = new FakeEngine([chunk("a"), chunk("b"), chunk("c"), ...HELLO], { wait_ms: 20, forgets_first: true });
    const model = webLlmModel({ model: MODEL, engine });
    const ending = new AbortController();
    const texts = [];
    const stop = (text) => (texts.push(text), ending.abort());
    const first = observed({ OutputGate, core }, model, REQUEST, stop, ending.signal);
    const second = observed({ OutputGate, core }, model, REQUEST, () => undefined, NEVER);
    return {
      first: await first,
      second: await second,
      texts,
      yielded: engine.yielded,
      most_running: engine.most_running,
    };
  },
  async run_that_is_certain() {
    const words = Array.from({ length: 50 }, () => chunk(" word"));
    const engine = new FakeEngine([chunk('{"kind":"final","con'), chunk('tent":"Hi."}'), ...words], { wait_ms: 20 });
    const agent = new Agent(core, { model: webLlmModel({ model: MODEL, engine }) });
    const ended = await agent.ask("Go");
    await new Promise((resolve) => setTimeout(resolve, 400));
    return { ended, said: agent.checkpoint.messages.at(-1).content, yielded: engine.yielded };
  },
  async interrupted_by_others() {
    const engine = new FakeEngine([chunk("a"), chunk("", "abort"), USAGE]);
    return ask(engine);
  },
  async too_slow() {
    return ask(new FakeEngine(HELLO, { wait_ms: 200 }), REQUEST, { totalMs: 100 });
  },
  async endless_chunk() {
    return ask(new FakeEngine([{ choices: 5 }]));
  },
  async progress() {
    const seen = [];
    const gpu = { requestAdapter: async () => ({ features: new Set(["shader-f16"]) }) };
    Object.defineProperty(globalThis, "navigator", { value: { gpu }, configurable: true });
    const webLlm = async () => ({
      async CreateMLCEngine(model, { initProgressCallback }) {
        const reports = [0, 0.3, 0.28, 1, 0.01, 0.5, 1, 0.02, 1, Number.NaN];
        for (const progress of reports) initProgressCallback({ progress, timeElapsed: 1, text: `at ${progress}` });
        return new FakeEngine(HELLO);
      },
    });
    const model = webLlmModel({ model: MODEL, webLlm, worker: null, onProgress: (progress) => seen.push(progress) });
    await Promise.all([model.load(), model.load()]);
    const { observation } = await complete(model);
    return { seen, observation };
  },
  async loads() {
    const found = {};
    const failures = {
      none: undefined,
      f16: "ShaderF16SupportError: This model requires WebGPU extension shader-f16",
      unknown: named("ModelNotFoundError", "Cannot find model record"),
      memory: named("DeviceLostError", "lost"),
      network: new TypeError("Failed to fetch"),
      full: named("QuotaExceededError", "The quota has been exceeded."),
    };
    for (const [name, thrown] of Object.entries(failures)) found[name] = await failed_load(name, thrown);
    return found;
  },
  async load_stopped() {
    const worker = new FakeWorker();
    const model = hanging(worker);
    const ending = new AbortController();
    const load = model.load(ending.signal).catch((error) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 20));
    ending.abort();
    return { code: await load, terminated: worker.terminated };
  },
  async worker_missing() {
    const worker = new FakeWorker();
    const load = hanging(worker)
      .load()
      .catch(({ code, message }) => ({ code, message }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    worker.dispatchEvent(new Event("error"));
    return load;
  },
  async requests() {
    const schema = { type: "object", oneOf: [{ properties: { kind: { const: "final" } } }] };
    const transcript = [
      { role: "system", content: "s" },
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "x", arguments: "{}" } }],
      },
      { role: "tool", content: "r", tool_call_id: "1" },
    ];
    const sampling = {
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      min_p: 0.1,
      max_tokens: 9,
      seed: 3,
      repeat_penalty: 1.1,
      presence_penalty: null,
    };
    const asked = {
      plain: REQUEST,
      schema: { ...REQUEST, response_format: { type: "json_schema", json_schema: { name: "envelope", schema } } },
      json: { ...REQUEST, response_format: { type: "json_object" } },
      text: { ...REQUEST, response_format: { type: "text" } },
      grammar: { ...REQUEST, grammar: 'root ::= "yes"' },
      tags: { ...REQUEST, response_format: TAGS },
      transcript: { messages: transcript, stop: ["</call>"] },
      sampling: { ...REQUEST, sampling },
    };
    const made = Object.entries(asked).map(([name, request]) => [name, webLlmRequest(request, MODEL)]);
    // WebLLM's check may change a request; it gets its own copy.
    for (const [, body] of made) postInitAndCheckFieldsChatCompletion(structuredClone(body), MODEL, ModelType.LLM);
    return Object.fromEntries(made);
  },
  async models() {
    return webLlmModels();
  },
};

class FakeWorker extends EventTarget {
  terminated = false;

  terminate() {
    this.terminated = true;
  }
}

function hanging(worker) {
  const webLlm = async () => ({ CreateWebWorkerMLCEngine: () => new Promise(() => undefined) });
  return webLlmModel({ model: MODEL, webLlm, worker: () => worker });
}

async function complete(model) {
  return { observation: await observed({ OutputGate, core }, model, REQUEST, () => undefined, NEVER) };
}

/** What a load that fails once says, what a completion says of it, and that the next try is a new one. */
async function failed_load(name, thrown) {
  let tries = 0;
  const webLlm = async () => ({
    CreateMLCEngine: () => (tries++ < 2 && thrown ? Promise.reject(thrown) : Promise.resolve(new FakeEngine(HELLO))),
  });
  const gpu = name === "none" ? undefined : { requestAdapter: async () => ({ features: new Set() }) };
  Object.defineProperty(globalThis, "navigator", { value: { gpu }, configurable: true });
  const model = webLlmModel({ model: MODEL, webLlm, worker: null });
  const { code, message } = await model.load().catch((error) => error);
  const told = (await complete(model)).observation;
  return { code, message, told, then: (await complete(model)).observation };
}

const found = {};
for (const [name, run] of Object.entries(cases)) found[name] = await run();
console.log(JSON.stringify(found));
