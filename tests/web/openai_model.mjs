// Answers requests on stdin, one JSON object a line, with what the adapter gives: {observation, texts}.
import { createInterface } from "node:readline";
import { OutputGate } from "../../web/dist/agent/output_gate.js";
import { createAgentCore } from "../../web/dist/index.js";
import { openAiModel } from "../../web/dist/models/openai.js";
import { observed } from "./observed.mjs";

const core = await createAgentCore();

for await (const line of createInterface({ input: process.stdin })) {
  const { options, request, abort_at_text, origin } = JSON.parse(line);
  if (origin) globalThis.location = { origin };
  else delete globalThis.location;
  const ending = new AbortController();
  const texts = [];
  const on_text = (text) => {
    texts.push(text);
    if (abort_at_text) ending.abort();
  };
  let said;
  try {
    const observation = await observed({ OutputGate, core }, openAiModel(options), request, on_text, ending.signal);
    said = { observation, texts };
  } catch (error) {
    said = { thrown: String(error) };
  }
  console.log(JSON.stringify(said));
}
