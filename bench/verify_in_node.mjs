// Times verify_log in Pyodide: a log on stdin; prints the least processor time of a few rounds, in microseconds.
import { text } from "node:stream/consumers";
import { createAgentCore } from "../web/dist/core/core.js";

const log = await text(process.stdin);
const core = await createAgentCore();
let least = Infinity;
for (let round = 0; round < 4; round += 1) {
  const before = process.cpuUsage();
  const found = JSON.parse(core.verify_log(log));
  if (!found.ok) throw new Error(`a benchmark's log does not verify: ${found.message}`);
  const { user, system } = process.cpuUsage(before);
  least = Math.min(least, user + system);
}
console.log(least);
