// Attaches each source of stdin to a question; prints the references, what the model was sent, and the logs.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [package_] = process.argv.slice(2);
const at = (name) => import(pathToFileURL(`${package_}/${name}`).href);
const { Agent, attached, createAgentCore, MemoryAttachments } = await at("index.js");
const core = await createAgentCore();
const given = JSON.parse(readFileSync(0, "utf8"));
const ANSWER = { type: "model_output", content: '{"kind":"final","content":"Yes."}' };

const bytes = ({ data }) => new Uint8Array(Buffer.from(data, "base64"));
const sources = given.sources.map((source) =>
  source.name === null ? bytes(source) : new File([bytes(source)], source.name, { type: "image/x-wrong" }),
);
const parts = [];
for (const source of sources) {
  parts.push(
    await attached(source).then(
      ({ part }) => part,
      ({ code }) => ({ code }),
    ),
  );
}

async function played(ports = {}, definition = {}) {
  const requests = [];
  let log = "";
  const model = { name: "script", complete: async (request) => (requests.push(request.messages), ANSWER) };
  const agent = new Agent(
    core,
    { model, log: { append: (lines) => void (log += lines) }, clock: () => 1, ...ports },
    definition,
    { run_id: "run-1" },
  );
  return { agent, requests, log: () => log };
}

const good = sources.filter((_, index) => parts[index].digest);
const run = await played();
await run.agent.ask("What are these?", { attachments: good });
await run.agent.ask("Sure?");

const kept = new MemoryAttachments();
const failing = await played({ attachments: kept });
await failing.agent.ask("What is this?", { attachments: good.slice(0, 1) });
const { digest } = parts[0];
const original = kept.get(digest);
const faults = [];
for (const wrong of [undefined, new Uint8Array([1, 2, 3])]) {
  kept.get = () => wrong;
  await (faults.length ? failing.agent.continueRun() : failing.agent.ask("Sure?")).catch(({ code }) =>
    faults.push(code),
  );
}
kept.get = () => original;
const resumed = await failing.agent.continueRun();

const words = await played({}, { models: [{ name: "words", supports: [] }] });
const refused = await words.agent.ask("What is this?", { attachments: good.slice(0, 1) });
const many = await run.agent.ask("q", { attachments: Array(32).fill(good[0]) }).catch(({ code }) => code);
const along = await played();
await along.agent.ask("What is it?", { data: [{ text: "two", name: "b.txt" }] });

const look = {
  spec: { name: "look", parameters: { type: "object" }, annotations: { readOnlyHint: true } },
  run: async () => ({ ok: true, output: ["two", sources[0], new Uint8Array([0, 1]), { n: 1 }] }),
};
const CALL = { type: "model_output", content: '{"kind":"tool_call","tool_name":"look","arguments":{}}' };
const seen = [];
let seenLog = "";
const looking = {
  name: "script",
  complete: async ({ messages }) => (seen.push(messages.at(-1).content), seen.length === 1 ? CALL : ANSWER),
};
const log = { append: (lines) => void (seenLog += lines) };
await new Agent(core, { model: looking, tools: [look], log, clock: () => 1 }, { tools: [look.spec] }).ask("Look.");

console.log(
  JSON.stringify({
    seen: [seen, seenLog],
    parts,
    asked: run.requests,
    log: run.log(),
    faults,
    resumed: resumed.type,
    refused: [refused.code, words.requests.length],
    many,
    along: [along.requests, along.log()],
  }),
);
