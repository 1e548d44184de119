// Answers requests on stdin, one JSON object a line: the messages that a decision sends of a transcript.
import { createInterface } from "node:readline";
import { modelRequest } from "../../web/dist/agent/model_request.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { decision, transcript } = JSON.parse(line);
  console.log(JSON.stringify(modelRequest(decision, transcript).messages));
}
