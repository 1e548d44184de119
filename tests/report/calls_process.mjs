// Answers calls in Node and in Deno: each line from standard input is a list of them, each line written its outputs.
import { createInterface } from "node:readline";
import { createAgentCore } from "../../web/dist/core/core.js";
import { answered } from "./calls.js";

const core = await createAgentCore();
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answered(core, JSON.parse(line))));
}
