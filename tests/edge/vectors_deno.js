// Runs vectors from standard input with the core as the Deno host loads it, under the rights that it has.
import { createAgentCore } from "../../web/dist/core/core.js";
import { report } from "./run_vectors.js";

const core = await createAgentCore({ read: (_name, url) => Deno.readFile(url) });
console.log(report(core, await new Response(Deno.stdin.readable).text()));
