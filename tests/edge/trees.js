// A service whose agents, outputs and tools come with each request, for scripted trees on every host.
//
// A request is {"agent": AGENT, "request": a request to /run, or the text of one}. AGENT: {"outputs", "specs", "results", "members",
// "agents": {name: {"agent", "description", "hand_off"}}}, as in tests/web/agent_trees.mjs; a result
// {"later": HANDLE} says that a call goes on elsewhere. Nothing is kept between requests
// but the core: each is answered by a service of its own. The answer: {"status", "text", "ran", "agent"}, with the tools that
// ran, and the outputs and results that are left.
import { Agent } from "../../web/dist/agent/agent.js";
import { later } from "../../web/dist/agent/late.js";
import { createEdgeHandler } from "../../web/dist/edge/index.js";

const CLOCK = () => 1_000;

function scripted(outputs) {
  return {
    name: "script",
    async complete(_request, reply) {
      const content = outputs.shift();
      if (content === undefined) throw new Error("the script has ended");
      if (content === null) return new Promise(() => undefined); // never
      reply.text(content);
      return { type: "model_output", content };
    },
  };
}

function toolsOf(core, { specs = [], results = {}, agents = {} }, path, ran) {
  const tools = specs.map((spec) => ({
    spec,
    run: async (params) => {
      ran.push([[...path, spec.name].join(" > "), params]);
      const result = results[spec.name].shift();
      if (result?.later) return { ok: true, output: later(result.later) };
      return result ?? new Promise(() => undefined);
    },
  }));
  const below = Object.entries(agents).map(([name, { agent, description, hand_off }]) => {
    const ports = { model: scripted(agent.outputs), tools: toolsOf(core, agent, [...path, name], ran) };
    const called = { name, ...(description && { description }) };
    const each = new Agent(core, ports, agent.members);
    return hand_off ? each.asHandOff(called) : each.asTool(called);
  });
  return [...tools, ...below];
}

/** Answers a request about a tree. */
export async function treeAnswer(core, body, host) {
  const { agent, request, options = {} } = body;
  const ran = [];
  const service = createEdgeHandler({
    core,
    host,
    model: scripted(agent.outputs),
    tools: toolsOf(core, agent, [], ran),
    agent: agent.members,
    clock: CLOCK,
    newRunId: () => "run-1",
    unsigned: options.sealKeys === undefined,
    ...options,
  });
  const headers = { "content-type": "application/json" };
  const text = typeof request === "string" ? request : JSON.stringify(request);
  const answer = await service(new Request("http://edge/run", { method: "POST", headers, body: text }));
  return JSON.stringify({ status: answer.status, text: await answer.text(), ran, agent });
}
