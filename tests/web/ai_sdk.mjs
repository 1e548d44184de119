// Asks through providers of the AI SDK: node ai_sdk.mjs PACKAGE_FOLDER > FOUND.json
//
// The providers are those of three versions of the specification, and ask a server on loopback that answers as told.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const purestep = (name) => import(pathToFileURL(join(folder, name)).href);
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Agent, createAgentCore, tool } = await purestep("index.js");
const { aiSdkModel, AgentTransport, uiMessageStream } = await purestep("ai_sdk/index.js");
const { openAiModel } = await purestep("models/openai.js");
const core = await createAgentCore({ tier: "zip" });
const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(String(reason)));

// ------------------------------------------------------------------------------------------------ the server

let answers = []; // each takes the response
const asked = [];
const left = [];
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    asked.push(JSON.parse(body));
    response.on("close", () => left.push(response.writableFinished));
    answers.shift()(response);
  });
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const baseURL = `http://127.0.0.1:${server.address().port}/v1`;

const head = { id: "r1", created: 1, model: "m", object: "chat.completion.chunk" };
const event = (members) => `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
const chunk = (delta, rest = {}) => event({ choices: [{ index: 0, delta, finish_reason: null }], ...rest });
const last = (finish_reason, usage) => event({ choices: [{ index: 0, delta: {}, finish_reason }], usage });
const streamed =
  (...pieces) =>
  (response) => {
    response.setHeader("Content-Type", "text/event-stream");
    for (const piece of pieces) response.write(piece);
    response.end("data: [DONE]\n\n");
  };
const says = (...pieces) =>
  streamed(
    ...pieces.map((content) => chunk({ content })),
    last("stop", {
      prompt_tokens: 7,
      completion_tokens: 2,
      total_tokens: 9,
      prompt_tokens_details: { cached_tokens: 4 },
    }),
  );
const calls = (tool_calls, reasoning_content) =>
  streamed(
    ...(reasoning_content ? [chunk({ role: "assistant", reasoning_content })] : []),
    ...tool_calls.map((call) => chunk({ tool_calls: [call] })),
    last("tool_calls", { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }),
  );
const status =
  (code, body, headers = {}) =>
  (response) =>
    response.writeHead(code, { "Content-Type": "application/json", ...headers }).end(body);

// ------------------------------------------------------------------------------------------------ models

const PROVIDERS = {
  v4: "@ai-sdk/openai-compatible",
  v3: "ai-sdk-openai-compatible-v3",
  v2: "ai-sdk-openai-compatible-v2",
};
async function modelOf(version, options) {
  const { createOpenAICompatible } = await load(PROVIDERS[version]);
  const provider = createOpenAICompatible({
    name: "own",
    baseURL,
    apiKey: "sk-very-secret-key-1",
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return aiSdkModel(provider("m"), { secret: "sk-very-secret-key-1", ...options });
}

const ADD = tool({
  name: "add",
  description: "Add two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
  },
  execute: ({ a, b }) => a + b,
});
const NATIVE = {
  models: [{ name: "m", supports: ["tools"] }],
  sampling: { temperature: 0, max_tokens: 50, top_k: 3 },
};
const ENVELOPE = { dialect: "envelope", models: [{ name: "m", supports: ["json_schema"] }] };

/** Plays a run; gives its log without times, its end, and what the server was asked. */
async function played(
  model,
  definition,
  script,
  { query = "1 plus 2?", tools = [ADD], sleep = async () => undefined, cancelAfter } = {},
) {
  answers = [...script];
  asked.length = left.length = 0;
  let log = "";
  let shown = "";
  const ports = {
    model,
    tools,
    sleep,
    log: { append: (lines) => void (log += lines) },
    clock: () => 7,
    watch: { onText: (text) => void (shown += text) },
  };
  const agent = new Agent(core, ports, definition, { run_id: "run-1" });
  if (cancelAfter) setTimeout(() => agent.cancel(), cancelAfter);
  const end = await agent.ask(query);
  await new Promise((resolve) => setTimeout(resolve, 30)); // so that the server sees who has left
  return { log, shown, end, asked: structuredClone(asked), left: [...left] };
}

const TWO_CALLS = [
  { index: 0, id: "a", type: "function", function: { name: "add", arguments: '{"a":1,' } },
  { index: 0, function: { arguments: '"b":2}' } },
  { index: 1, id: "b", type: "function", function: { name: "add", arguments: '{"a":3,"b":4}' } },
];
const found = { versions: {}, faults: {} };
const script = () => [calls(TWO_CALLS, "I add."), says("They are ", "3 and 7.")];
found.direct = await played(openAiModel({ baseUrl: baseURL, model: "m" }), NATIVE, script());
for (const version of Object.keys(PROVIDERS))
  found.versions[version] = await played(await modelOf(version), NATIVE, script());

const final = '{"kind":"final","content":"It is 3."}';
found.envelope = await played(await modelOf("v4"), ENVELOPE, [says(final)], { tools: [] });
// The answer is complete, and the model goes on.
found.early = await played(
  await modelOf("v4"),
  ENVELOPE,
  [
    (response) => {
      response.setHeader("Content-Type", "text/event-stream");
      response.write(chunk({ content: final }) + chunk({ content: " And" }));
    },
  ],
  { tools: [] },
);
found.cancelled = await played(await modelOf("v4"), ENVELOPE, [() => undefined], { cancelAfter: 50 });

const once = { ...ENVELOPE, limits: { max_turns: 3 } };
const refusal = (message, type) => JSON.stringify({ error: { message, type } });
const FAULTS = {
  key: [status(401, refusal("Incorrect API key provided: sk-very-secret-key-1", "invalid_request_error"))],
  rate: [status(429, refusal("slow down"), { "retry-after": "2" }), says(final)],
  overflow: [
    status(
      400,
      JSON.stringify({
        error: {
          message: "This model's maximum context length is 100 tokens",
          code: "context_length_exceeded",
        },
      }),
    ),
  ],
  broken: [status(500, "oops"), says(final)],
  odd: [status(200, "<html>", { "Content-Type": "text/html" }), says(final)],
  cut: [
    (response) => {
      response.setHeader("Content-Type", "text/event-stream");
      response.write(chunk({ content: '{"kind":' }));
      response.destroy();
    },
    says(final),
  ],
  unfinished: [
    (response) => {
      response.setHeader("Content-Type", "text/event-stream");
      response.end(chunk({ content: '{"kind":' }));
    },
    says(final),
  ],
  error_in_stream: [streamed(event({ error: { message: "overloaded", type: "server_error" } })), says(final)],
};
for (const [name, given] of Object.entries(FAULTS)) {
  const waits = [];
  const { end, log, asked } = await played(await modelOf("v4"), once, given, {
    tools: [],
    sleep: async (ms) => void waits.push(ms),
  });
  const errors = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "model_error");
  found.faults[name] = {
    end,
    errors: errors.map(({ code, message }) => [code, message]),
    asked: asked.length,
    waits,
    leaked: log.includes("very-secret"),
  };
}
const silent = await played(await modelOf("v4", { silenceMs: 40 }), once, [() => undefined, says(final)], {
  tools: [],
});
found.silent = silent.log.includes('"code":"timeout"') && silent.end.type;
server.closeAllConnections();

const thrown = (work) => {
  try {
    work();
    return "none";
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
};
found.no_model = [
  thrown(() => aiSdkModel("openai/gpt")),
  thrown(() => aiSdkModel({ specificationVersion: "v1", doStream() {} })),
  thrown(() => aiSdkModel(undefined)),
];

// ------------------------------------------------------------------------------------------------ what a provider keeps

/** A provider that signs its reasoning and calls, as Anthropic's and Google's do; it gives what it was sent. */
function signing(version) {
  const prompts = [];
  const parts = [
    [
      { type: "stream-start", warnings: [] },
      { type: "reasoning-start", id: "1" },
      { type: "reasoning-delta", id: "1", delta: "I " },
      { type: "reasoning-delta", id: "1", delta: "add." },
      { type: "reasoning-delta", id: "1", delta: "", providerMetadata: { own: { signature: "s1" } } },
      { type: "reasoning-end", id: "1" },
      { type: "reasoning-start", id: "2" },
      { type: "reasoning-end", id: "2", providerMetadata: { own: { redacted: "r" } } },
      {
        type: "tool-call",
        toolCallId: "c",
        toolName: "add",
        input: '{"a":1,"b":2}',
        providerMetadata: { own: { thought: "t" } },
      },
      {
        type: "finish",
        finishReason: version === "v2" ? "tool-calls" : { unified: "tool-calls", raw: "x" },
        usage: {},
      },
    ],
    [
      { type: "text-delta", id: "1", delta: "It is 3." },
      { type: "finish", finishReason: version === "v2" ? "stop" : { unified: "stop" }, usage: {} },
    ],
  ];
  const model = {
    specificationVersion: version,
    provider: "own",
    modelId: "signing",
    async doStream({ prompt }) {
      prompts.push(structuredClone(prompt));
      const given = parts.shift();
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of given) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
  return { model, prompts };
}
found.signed = {};
for (const version of ["v2", "v4"]) {
  const { model, prompts } = signing(version);
  const { end } = await played(aiSdkModel(model), NATIVE, []);
  found.signed[version] = { end: end.answer, sent: prompts[1] };
}

// ------------------------------------------------------------------------------------------------ UI message streams

const scripted = (...outputs) => ({
  name: "script",
  async complete(_request, reply) {
    const content = outputs.shift();
    if (content === undefined) return new Promise(() => undefined);
    for (const piece of content.match(/\s*\S+/g)) reply.text(piece);
    return { type: "model_output", content };
  },
});
const writes = (content) => JSON.stringify({ kind: "final", content });
const uses = (...numbers) =>
  numbers.map((number) => JSON.stringify({ kind: "tool_call", tool_name: "refund", arguments: { number } })).join("\n");
const refund = (ran) =>
  tool({
    name: "refund",
    parameters: { type: "object", properties: { number: { type: "integer" } } },
    approval: "ask",
    execute: ({ number }) => void ran.push(number) ?? `refunded ${number}`,
  });

/** A chat as a client of the AI SDK keeps it: messages are folded from the chunks, which its schema has to take. */
function chatOf(sdk, agent) {
  const problems = [];
  const messages = [];
  const schema = sdk.uiMessageChunkSchema();
  return {
    problems,
    messages,
    async exchange(options = { messages: [...messages] }) {
      const chunks = [];
      const before = messages.at(-1)?.role === "assistant" ? messages.pop() : undefined;
      const stream = uiMessageStream(agent, options).pipeThrough(
        new TransformStream({
          async transform(piece, controller) {
            const read = await (schema.validate ?? schema["~standard"].validate)(piece);
            if (read.success === false || read.issues) problems.push(JSON.stringify(piece));
            chunks.push(piece.type);
            controller.enqueue(piece);
          },
        }),
      );
      let latest = before;
      for await (const state of sdk.readUIMessageStream({
        message: before,
        stream,
        onError: (error) => problems.push(error.message),
      }))
        latest = state;
      if (latest) messages.push(latest);
      await sdk.validateUIMessages({ messages });
      return chunks;
    },
    say(text) {
      messages.push({ id: `u${messages.length}`, role: "user", parts: [{ type: "text", text }] });
      return this.exchange();
    },
    answer(...answers) {
      const last = messages.pop();
      const parts = last.parts.map((part) => {
        if (part.state !== "approval-requested" || answers.length === 0) return part;
        return {
          ...part,
          state: "approval-responded",
          approval: { ...part.approval, approved: answers.shift(), reason: "because" },
        };
      });
      messages.push({ ...last, parts });
      return this.exchange();
    },
  };
}

const kept = ({ role, parts }) => [
  role,
  parts
    .filter(({ type }) => type !== "step-start")
    .map(({ type, state, text, output }) => [type, state, text ?? output].filter((each) => each !== undefined)),
];
found.chats = {};
for (const name of ["ai", "ai-v7"]) {
  const sdk = await load(name);
  const ran = [];
  let log = "";
  const ports = (...outputs) => ({
    model: scripted(...outputs),
    tools: [refund(ran)],
    log: { append: (lines) => void (log += lines) },
  });
  const first = new Agent(core, ports(writes("Good day to you."), uses(7), writes("It is refunded."), uses(8)));
  const chat = chatOf(sdk, first);
  const streams = [
    await chat.say("Good day"),
    await chat.say("Refund 7"),
    await chat.answer(true),
    await chat.say("Refund 8"),
  ];
  // The rest is another process's: it has the log and the messages.
  const later = new Agent(core, ports(writes("It was refused.")));
  const again = chatOf(sdk, later);
  again.messages.push(...chat.messages);
  const waiting = again.messages.at(-1);
  waiting.parts = waiting.parts.map((part) =>
    part.state === "approval-requested"
      ? {
          ...part,
          state: "approval-responded",
          approval: { ...part.approval, approved: false, reason: "because" },
        }
      : part,
  );
  streams.push(await again.exchange({ messages: [...again.messages], log }));
  found.chats[name] = {
    problems: [...chat.problems, ...again.problems],
    streams,
    messages: again.messages.map(kept),
    ran,
    verified: JSON.parse(core.verify_log(log)).ok,
  };
}

async function textOf(stream) {
  const chunks = [];
  for await (const piece of stream) chunks.push(piece);
  return chunks;
}
const busy = new Agent(core, { model: scripted() });
const open = uiMessageStream(busy, { query: "Wait" });
const second = await textOf(uiMessageStream(busy, { query: "And?" }));
const reader = open.getReader();
await reader.read();
await reader.cancel();
await new Promise((resolve) => setTimeout(resolve, 50));
const stopping = new AbortController();
setTimeout(() => stopping.abort(), 30);
const aborted = await textOf(
  uiMessageStream(new Agent(core, { model: scripted() }), { query: "Wait", signal: stopping.signal }),
);
const wrong = new Agent(core, {
  model: scripted(writes("Yes.")),
  tools: [{ spec: { name: "t", parameters: { type: "object", propertys: {} } }, run: async () => ({ ok: true }) }],
});
const begun = new Agent(core, { model: scripted(writes("Yes."), writes("Yes.")) });
await begun.ask("Before");
const codeOf = (work) =>
  work.then(
    () => "none",
    (error) => error.code,
  );
found.streams = {
  second: second.map(({ type, errorText }) => errorText ?? type),
  after_cancel: busy.getSnapshot().items.at(-1).code,
  aborted: aborted.map(({ type }) => type),
  wrong: (await textOf(uiMessageStream(wrong, { query: "Go" }))).map(({ type, errorText }) => errorText ?? type),
  without_log: (await textOf(uiMessageStream(begun, { query: "Now" }))).map(({ type, errorText }) => errorText ?? type),
  empty: thrown(() => uiMessageStream(begun, { messages: [] })),
  regenerate: await codeOf(new AgentTransport(begun).sendMessages({ trigger: "regenerate-message", messages: [] })),
  reconnect: await new AgentTransport(begun).reconnectToStream(),
};

// ------------------------------------------------------------------------------------------------ images

found.attached = {};
for (const version of Object.keys(PROVIDERS)) {
  answers = [says("A dot.")];
  asked.length = 0;
  const seeing = new Agent(core, { model: await modelOf(version) });
  const end = await seeing.ask("What is this?", { attachments: [new File(["GIF89a"], "dot.gif")] });
  found.attached[version] = { answer: end.answer, content: asked[0].messages.at(-1).content };
}
console.log(JSON.stringify({ ...found, unhandled }));
process.exit();
