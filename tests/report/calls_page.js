// Answers calls in a page: asks its server for a list of them again and again, and posts the outputs back.
import { createAgentCore } from "/dist/core/core.js";
import { answered } from "./calls.js";

const core = await createAgentCore();
for (;;) {
  const calls = await (await fetch("/job")).json();
  await fetch("/result", { method: "POST", body: JSON.stringify(answered(core, calls)) });
}
