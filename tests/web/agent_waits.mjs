// Plays runs whose model fails at first: node agent_waits.mjs PACKAGE_FOLDER > RESULTS.json, an object of what came by case.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore();
const WAIT_MS = 30_000;
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

async function play(model, { definition = {}, stopsInWait = false } = {}) {
  let log = "";
  let now = 0;
  const slept = [];
  const ports = {
    model,
    log: { append: (lines) => void (log += lines) },
    clock: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
  if (stopsInWait) delete ports.sleep;
  const agent = new Agent(core, ports, definition, { run_id: "run-1" });
  const waits = stopsInWait ? watchedWaits(() => agent.cancel("enough")) : [];
  const ended = await agent.ask("Go");
  return { ended, slept, asked: model.asked, log, checkpoint: agent.checkpoint, waits };
}

/** Calls `begun` once a timer of WAIT_MS has begun; gives those timers, which say whether they came to their end. */
function watchedWaits(begun) {
  const real = globalThis.setTimeout;
  const waits = [];
  globalThis.setTimeout = (work, ms, ...given) => {
    if (ms !== WAIT_MS) return real(work, ms, ...given);
    const wait = { came_to_its_end: false };
    waits.push(wait);
    real(begun, 0);
    return real(() => {
      wait.came_to_its_end = true;
      work(...given);
    }, ms);
  };
  return waits;
}

const results = {
  busy: await play(failing(2)),
  gone: await play(failing(99)),
  asks: await play(failing(1, { headers: { "retry-after": "7" } })),
  late: await play(failing(9, { headers: { "retry-after": "7" } }), { definition: { limits: { deadline_ms: 5000 } } }),
  stopped: await play(failing(9, { headers: { "retry-after": `${WAIT_MS / 1000}` } }), { stopsInWait: true }),
};
console.log(JSON.stringify(results));
