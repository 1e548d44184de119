// Plays runs whose model fails at first: node agent_waits.mjs PACKAGE_FOLDER > RESULTS.json, an object of what came by case.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore({ tier: "zip" });
const FINAL = '{"kind":"final","content":"Here after all."}';

/** A model that fails so many times, then answers. */
function failing(times, end) {
  const model = { name: "m", asked: 0 };
  model.complete = async (_request, reply) => {
    if (model.asked++ < times) return { type: "reply_end", kind: "status", status: 503, source: "The server", ...end };
    reply.text(FINAL);
    return { type: "model_output", content: FINAL };
  };
  return model;
}

async function play(model, { definition = {}, sleep, stopAfterMs } = {}) {
  let log = "";
  let now = 0;
  const slept = [];
  const ports = {
    model,
    log: { append: (lines) => void (log += lines) },
    clock: () => now,
    sleep:
      sleep ??
      (async (ms) => {
        slept.push(ms);
        now += ms;
      }),
  };
  if (sleep === null) delete ports.sleep;
  const agent = new Agent(core, ports, definition, { run_id: "run-1" });
  if (stopAfterMs !== undefined) setTimeout(() => agent.cancel("enough"), stopAfterMs);
  const ended = await agent.ask("Go");
  return { ended, slept, asked: model.asked, log, checkpoint: agent.checkpoint };
}

const begun = performance.now();
const stopped = await play(failing(9, { headers: { "retry-after": "30" } }), { sleep: null, stopAfterMs: 50 });
const stoppedMs = performance.now() - begun;
const results = {
  busy: await play(failing(2)),
  gone: await play(failing(99)),
  asks: await play(failing(1, { headers: { "retry-after": "7" } })),
  late: await play(failing(9, { headers: { "retry-after": "7" } }), { definition: { limits: { deadline_ms: 5000 } } }),
  stopped: { ...stopped, ms: stoppedMs },
};
console.log(JSON.stringify(results));
