// Runs the adapter of the browser's own model on an API of the documented shapes; prints what each case gave.
import { Agent, createAgentCore } from "../../web/dist/index.js";
import { OutputGate } from "../../web/dist/agent/output_gate.js";
import { promptApiModel, promptApiSupport } from "../../web/dist/models/prompt_api.js";
import { observed } from "./observed.mjs";

const core = await createAgentCore();

const REQUEST = { messages: [{ role: "user", content: "hi" }] };
const SCHEMA = { type: "object", properties: {} };

/** An API that answers with these pieces, or throws. */
function fake({
  pieces = ["Hel", "lo"],
  availability = "available",
  create_throws,
  prompt_throws,
  downloads = [],
} = {}) {
  const seen = { created: [], prompted: [], destroyed: 0, pieces: 0 };
  const api = () => ({
    availability: async () => availability,
    async create({ monitor, signal, ...options }) {
      const target = new EventTarget();
      monitor?.(target);
      for (const loaded of downloads)
        target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      if (create_throws) throw create_throws;
      signal.throwIfAborted();
      seen.created.push(options);
      return { promptStreaming, destroy: () => seen.destroyed++ };
    },
  });
  const promptStreaming = (input, { signal, ...options }) => {
    seen.prompted.push({ input, ...options });
    return new ReadableStream({
      async start(controller) {
        for (const piece of pieces) {
          seen.pieces++;
          controller.enqueue(piece);
          await new Promise((resolve) => setTimeout(resolve, 10));
          if (signal.aborted) return controller.error(signal.reason);
        }
        if (prompt_throws) controller.error(prompt_throws);
        else controller.close();
      },
    });
  };
  return { api, seen };
}

async function ask(given, request = REQUEST, abort = false) {
  const { api, seen } = fake(given);
  const ending = new AbortController();
  const texts = [];
  const on_text = (text) => (texts.push(text), abort && ending.abort());
  const observation = await observed({ OutputGate, core }, promptApiModel({ api }), request, on_text, ending.signal);
  // A run that was stopped goes on at once; its session is given back a moment later.
  if (abort) await new Promise((resolve) => setTimeout(resolve, 100));
  return { observation, texts, seen };
}

async function run(given) {
  const { api, seen } = fake(given);
  const agent = new Agent(core, { model: promptApiModel({ api }) });
  const ended = await agent.ask("Go");
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { ended, said: agent.checkpoint.messages.at(-1).content, seen };
}

async function load(given) {
  const progress = [];
  const { api } = fake(given);
  const model = promptApiModel({ api, onProgress: ({ fraction }) => progress.push(fraction) });
  return {
    ...(await model.load().then(
      () => ({ code: "loaded" }),
      ({ code, message }) => ({ code, message }),
    )),
    progress,
  };
}

const quota = Object.assign(new DOMException("too large", "QuotaExceededError"), { requested: 9000, quota: 6144 });
const transcript = [
  { role: "system", content: "s" },
  { role: "user", content: "q" },
  { role: "assistant", content: "a" },
  { role: "system", content: "late" },
  { role: "tool", content: "r", tool_call_id: "1" },
];
const format = { type: "json_schema", json_schema: { name: "x", schema: SCHEMA } };
console.log(
  JSON.stringify({
    hello: await ask(),
    transcript: await ask({}, { messages: transcript, response_format: format }),
    overflow_of_history: await ask({ prompt_throws: quota }),
    refused: await ask({ prompt_throws: new DOMException("no", "NotSupportedError") }),
    broken: await ask({ prompt_throws: new DOMException("no", "UnknownError") }),
    stopped: await ask({ pieces: ["a", "b", "c"] }, REQUEST, true),
    certain: await run({ pieces: ['{"kind":"final","con', 'tent":"Hi."}', ...Array(60).fill(" word")] }),
    tools: await ask({}, { ...REQUEST, tools: [{}] }),
    grammar: await ask({}, { ...REQUEST, grammar: "root ::= x" }),
    last: await ask({}, { messages: [{ role: "assistant", content: "x" }] }),
    none: await promptApiSupport(),
    none_asked: await observed(
      { OutputGate, core },
      promptApiModel(),
      REQUEST,
      () => undefined,
      new AbortController().signal,
    ),
    unavailable: await load({ availability: "unavailable" }),
    gesture: await load({ availability: "downloadable", create_throws: new DOMException("x", "NotAllowedError") }),
    full: await load({ create_throws: new DOMException("x", "QuotaExceededError") }),
    fetched: await load({ availability: "downloadable", downloads: [0, 0.4, 0.3, 1] }),
  }),
);
