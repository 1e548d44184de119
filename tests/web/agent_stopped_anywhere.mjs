// Stops seeded runs at any moment: node agent_stopped_anywhere.mjs PACKAGE_FOLDER RUNS > RESULTS.json
//
// A moment is before or after an effect of the host: a line written, a model asked, a call begun or back. There the host
// dies, and another agent takes up its log while nobody approves anything; or the run is cancelled.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { Agent, createAgentCore } = await import(pathToFileURL(join(process.argv[2], "index.js")).href);
const core = await createAgentCore();
const NUMBER = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const TOOLS = [
  { name: "send", parameters: NUMBER },
  { name: "look", parameters: NUMBER, annotations: { readOnlyHint: true } },
];
const FINAL = '{"kind":"final","content":"Done."}';
const never = new Promise(() => undefined);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Gives numbers below a bound, the same for the same seed. */
function numbers(seed) {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function planOf(below) {
  let n = 0;
  const call = () => ({ kind: "tool_call", tool_name: TOOLS[below(2)].name, arguments: { n: n++ } });
  const output = () => JSON.stringify(Array.from({ length: 1 + below(3) }, call));
  return [...Array.from({ length: 1 + below(2) }, output), FINAL];
}

/** One run and what its host has done; `moment` is called before and after each of its effects. */
function hostOf(below, plan, moment) {
  const kept = { log: "", effects: [], begun: 0, asked: [] };
  const at = async (work) => {
    await moment();
    const given = work();
    await moment();
    return given;
  };
  const ports = {
    model: {
      name: "scripted",
      complete: () =>
        at(() => {
          const said = kept.log.split('"kind":"model_response"').length - 1;
          return { type: "model_output", content: plan[Math.min(said, plan.length - 1)] };
        }),
    },
    tools: TOOLS.map((spec) => ({
      spec,
      run: async (_params, { key }) => {
        kept.begun += 1;
        if (below(2)) await wait(0);
        return at(() => (kept.effects.push(`${spec.name} ${key}`), { ok: true, output: "done" }));
      },
    })),
    approve: async (calls) => {
      kept.asked.push(...calls.map(({ reason }) => reason));
      return calls.map(({ call_id, key }) => ({ call_id, key, approved: false }));
    },
    log: { append: (lines) => at(() => void (kept.log += lines)) },
    clock: () => 1,
  };
  return { kept, ports };
}

function brokenOf({ kept, ended, begunAtStop }) {
  const sent = kept.effects.filter((effect) => effect.startsWith("send"));
  if (new Set(sent).size < sent.length) return "a call had its effect twice, and nobody approved it";
  if (begunAtStop !== undefined && kept.begun > begunAtStop) return "a call began after the stop";
  if (!ended) return "the run did not end";
  return undefined;
}

async function play(seed) {
  const below = numbers(seed);
  const definition = { tools: TOOLS, limits: { max_parallel: 1 + below(3) } };
  const plan = planOf(below);
  const isKilled = below(2) === 0;
  let left = 1 + below(24);
  let begunAtStop;
  let die;
  const dead = new Promise((resolve) => (die = resolve));
  const moment = async () => {
    if (left > 0 && --left === 0) {
      if (isKilled) die();
      else {
        begunAtStop = kept.begun;
        agent.cancel("interrupted");
      }
    }
    if (isKilled && left === 0) await never;
  };
  const { kept, ports } = hostOf(below, plan, moment);
  const agent = new Agent(core, ports, definition, { run_id: `run-${seed}` });
  const ended = await Promise.race([agent.ask("Go"), dead]);
  if (ended || kept.log === "") return { kept, ended: true, begunAtStop };
  await wait(1); // calls that are on their way die as well
  const other = hostOf(below, plan, async () => undefined);
  Object.assign(other.kept, { log: kept.log, effects: kept.effects });
  const last = await new Agent(core, other.ports, definition).resume(kept.log);
  return { kept: other.kept, ended: last };
}

const results = { broken: [], logs: [], unknown: 0, interrupted: 0 };
for (let seed = 0; seed < Number(process.argv[3]); seed += 1) {
  const played = await play(seed);
  const broken = brokenOf(played);
  if (broken) results.broken.push([seed, broken]);
  results.logs.push(played.kept.log);
  results.unknown += played.kept.asked.filter((reason) => reason === "outcome_unknown").length;
  results.interrupted += played.kept.log.split('"error_kind":"interrupted"').length - 1;
}
console.log(JSON.stringify(results));
