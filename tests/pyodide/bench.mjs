// Times the core in Pyodide: node bench.mjs CORE_ZIP WHEEL_FOLDER CASES.json
//
// CASES.json: {"rounds"?, "calls"?, "setup"?: [{"function", "args"}], "cases": [{"name", "input"}]}. The calls of `setup`
// (such as load_agent) are made once; then run_agent_step gets each `input` over and over, string in, string out.
// Prints {"start_ms", "floor_us", "cases": [{"name", "us", "ratio"}]}: `us` is the median over `rounds` of the mean
// of `calls` calls; `floor_us` is the same for the least that any step has to do, and `ratio` is us / floor_us, which,
// unlike microseconds, can be compared between machines.
import { readFile } from "node:fs/promises";
import { startCore } from "./core.mjs";

const [coreArchive, wheelFolder, casesFile] = process.argv.slice(2);
const { rounds = 15, calls = 200, setup = [], cases } = JSON.parse(await readFile(casesFile, "utf8"));
const { python, fn, startMs } = await startCore(coreArchive, wheelFolder);

// Decode a small struct and hash what came: what a core that decided nothing would cost.
const floor = python.runPython(`
import hashlib
import msgspec
class Small(msgspec.Struct, frozen=True):
    phase: str
    turn: int
    head: str
decode = msgspec.json.Decoder(Small).decode
def floor(text):
    decode(text)
    return hashlib.sha256(text.encode()).hexdigest()
floor
`);
const SMALL = JSON.stringify({ phase: "model", turn: 3, head: "0".repeat(64) });

function medianMicroseconds(call, input) {
  const means = [];
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    for (let i = 0; i < calls; i += 1) call(input);
    if (round > 0) means.push(((performance.now() - started) * 1000) / calls);
  }
  return means.sort((a, b) => a - b)[means.length >> 1];
}

for (const { function: name, args } of setup) refuse(fn(name)(...args));
const step = fn("run_agent_step");
const floorUs = medianMicroseconds(floor, SMALL);
const results = cases.map(({ name, input }) => {
  refuse(step(input));
  const us = medianMicroseconds(step, input);
  return { name, us: rounded(us), ratio: rounded(us / floorUs) };
});
console.log(JSON.stringify({ start_ms: rounded(startMs), floor_us: rounded(floorUs), cases: results }));

// The time of a refusal says nothing about the time of a step.
function refuse(output) {
  if (output.startsWith("raised ") || output.startsWith('{"error"'))
    throw new Error(`a benchmark's call failed: ${output}`);
}

function rounded(number) {
  return Math.round(number * 100) / 100;
}
