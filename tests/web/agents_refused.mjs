// Asks agents whose definitions stand on stdin, one JSON object a line; prints what each ends with, or is refused with.
import { createInterface } from "node:readline";
import { Agent, createAgentCore } from "../../web/dist/index.js";

const core = await createAgentCore();
const reply = { type: "model_output", content: '{"kind":"final","content":"Done."}' };
const model = { name: "scripted", complete: async () => reply };
for await (const definition of createInterface({ input: process.stdin })) {
  try {
    const { type } = await new Agent(core, { model }, definition, { run_id: "r" }).ask("Do it.");
    console.log(JSON.stringify({ type }));
  } catch ({ code, message, path }) {
    console.log(JSON.stringify({ code, message, path }));
  }
}
