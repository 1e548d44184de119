// Plays searches whose tools a function ranks: node tool_ranking.mjs PACKAGE_FOLDER > RESULTS.json
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, byEmbedding, createAgentCore, tool } = await import(
  pathToFileURL(join(process.argv[2], "index.js")).href
);
const core = await createAgentCore();

const ABOUT = {
  tell_height: "Tell the elevation of a mountain.",
  list_letters: "List letters.",
  say_hello: "Say good day.",
};
const tools = Object.entries(ABOUT).map(([name, description]) => {
  const parameters = { type: "object", properties: {} };
  const made = tool({ name, description, parameters, annotations: { readOnlyHint: true }, execute: () => "none" });
  return name === "say_hello" ? { ...made, spec: { ...made.spec, always: true } } : made;
});

async function search(query, toolsRankedBy) {
  const outputs = [
    { kind: "tool_call", tool_name: "find_tools", arguments: { query } },
    { kind: "final", content: "Done." },
  ];
  let log = "";
  const next = () => ({ type: "model_output", content: JSON.stringify(outputs.shift()) });
  const model = { name: "script", complete: async () => next() };
  const ports = { model, tools, toolsRankedBy, clock: () => 1000, log: { append: (lines) => void (log += lines) } };
  const agent = new Agent(core, ports, { tools_offered: 2 }, { run_id: "run-1" });
  const end = await agent.ask("x");
  return { answer: end.answer, log };
}

const pieces = (text) =>
  new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)));
const overlap = (query, texts) =>
  texts.map(({ name, description }) => {
    const own = pieces(`${name} ${description}`);
    return [...pieces(query)].filter((piece) => own.has(piece)).length;
  });
const letters = (texts) =>
  texts.map((text) => [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => text.toLowerCase().split(letter).length - 1));

const seen = [];
const asked = [];
const embedded = byEmbedding(async (texts) => (asked.push(texts.length), letters(texts)));
const results = {
  ranked: await search("deletters", (query, texts) => (seen.push([query, texts]), overlap(query, texts))),
  embedded: await search("erttelstile", embedded),
  failed: await search("letters", () => {
    throw new Error("no memory");
  }),
  short: await search("letters", () => [1]),
  unfit: await search("letters", async () => [NaN, 1]),
  unranked: await search("letters", undefined),
};
const all = Array.from({ length: 13 }, (_, at) => `t${String((at * 5) % 13).padStart(2, "0")}`);
const plain = all.map((name) => tool({ name, description: "x", parameters: { type: "object" }, execute() {} }));
const unused = { name: "m", complete() {} };
const ties = new Agent(core, { model: unused, tools: plain, toolsRankedBy: () => all.map(() => 1) }, {});
const { ranking } = ties.asTool({ name: "a" }).adapters;
const tied = await ranking.run({ query: "x", limit: 3 }, {}, new AbortController().signal);
let taken = "";
try {
  const own = tool({ name: "rank_tools", description: "x", parameters: { type: "object" }, execute() {} });
  new Agent(core, { model: unused, tools: [own], toolsRankedBy: () => [] });
} catch (error) {
  taken = error.message;
}
let refused = "";
try {
  new Agent(core, { model: { name: "m", complete() {} }, toolsRankedBy: "rank" });
} catch (error) {
  refused = error.message;
}
process.stdout.write(JSON.stringify({ ...results, seen, asked, refused, taken, tied }));
process.exit(0);
