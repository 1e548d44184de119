// Plays scripted runs with Agent: node agent_runs.mjs PACKAGE_FOLDER < CASES.json > RESULTS.json
//
// A case: {"definition", "outputs": [model output text], "results": {tool: [outcome]}, "approvals": [{"approved", ...}],
// "queries": [text], "cancel_at"?: nth model call, "carry"?, "tool_choice"?: options of Agent, "window_tokens"?: of the model, "choices"?, "pins"?: what `ask` is told for each query}. A result: {"ended", "log", "head", "state", "messages", "shown"}.
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore, writeExactly } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore();
const cases = JSON.parse(await text(process.stdin));
const results = {};
for (const [name, given] of Object.entries(cases)) results[name] = await play(given);
console.log(writeExactly(results)); // the arguments of acts may have large numbers

async function play({
  definition,
  outputs,
  results = {},
  approvals = [],
  queries,
  cancel_at,
  carry,
  tool_choice,
  window_tokens,
  choices = [],
  pins = [],
}) {
  const told = { log: "", head: "", shown: "", requests: [] };
  let at = 1000;
  const ports = {
    model: {
      name: "scripted",
      windowTokens: window_tokens,
      async complete(request, reply, signal) {
        told.requests.push(request);
        if (told.requests.length === cancel_at) {
          agent.cancel("interrupted"); // as Ctrl-C is told
          return new Promise(() => signal.aborted); // a server that never answers
        }
        const content = outputs.shift();
        // In pieces of three, so that markers and escapes are cut.
        for (let begin = 0; begin < content.length; begin += 3) reply.text(content.slice(begin, begin + 3));
        return { type: "model_output", content };
      },
    },
    tools: (typeof definition === "string" ? JSON.parse(definition) : definition).tools.map((spec) => ({
      spec,
      run: async () => outcome(results[spec.name].shift()),
    })),
    approve: async (calls) => calls.map(({ call_id, key }) => ({ call_id, key, ...approvals.shift() })),
    log: {
      append(lines, head) {
        told.log += lines;
        told.head = head;
        at += 1000;
      },
    },
    watch: { onText: (shown) => (told.shown += shown) },
    clock: () => at,
  };
  const agent = new Agent(core, ports, definition, { run_id: "run-1", carry, tool_choice });
  const ended = [];
  for (const query of queries) {
    const tool_choice = choices.shift() ?? undefined;
    ended.push(await agent.ask(query, { tool_choice, pinned: pins.shift() ?? false }));
  }
  const { state, messages } = agent.checkpoint;
  return { ended, state, messages, ...told, resumed: await resumed(ports, definition, told.log, carry) };
}

function outcome(result) {
  if (result?.throws) throw new Error(result.throws);
  return result;
}

/** Takes the run up from its log on a fresh agent, which has nothing left to do. */
async function resumed(ports, definition, log, carry) {
  const agent = new Agent(core, { ...ports, log: undefined, watch: {} }, definition, { carry });
  const ended = await agent.resume(log);
  return { ended, state: agent.checkpoint.state };
}
