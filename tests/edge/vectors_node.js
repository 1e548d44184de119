// Runs vectors from standard input with the core as the Node host loads it.
import { text } from "node:stream/consumers";
import { createAgentCore } from "../../web/dist/core/core.js";
import { report } from "./run_vectors.js";

const core = await createAgentCore();
console.log(report(core, await text(process.stdin)));
