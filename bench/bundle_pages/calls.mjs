// Times steps called from JavaScript, the JSON of the host included: calls.mjs JOB.json, which is {loader, agent, cases}.
import { readFileSync } from "node:fs";

const ROUNDS = 15;
const CALLS = 200;
const WARM_UP = 5;
const { loader, agent, cases } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { boot } = await import(loader);
const { call } = await boot();
call("load_agent", agent);

function microseconds(input) {
  const started = performance.now();
  for (let count = 0; count < CALLS; count++) {
    const { decision } = JSON.parse(call("run_agent_step", JSON.stringify(input)));
    if (!decision) throw new Error("expected a decision");
  }
  return ((performance.now() - started) * 1000) / CALLS;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

// Until the engine has compiled the hot parts a second time, better, a call takes three times as long.
for (let round = 0; round < WARM_UP; round++) cases.forEach(microseconds);
const rounds = Array.from({ length: ROUNDS }, () => cases.map(microseconds));
console.log(JSON.stringify(cases.map((_, index) => median(rounds.map((round) => round[index])))));
