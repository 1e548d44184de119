// Takes the first step in Node or Deno: in_process.mjs JOB.json. The parent process measures its CPU time.
import { readFileSync } from "node:fs";
import { withBundle, withStock } from "./first_step.js";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const read = async (path) => new Uint8Array(readFileSync(path));
await (job.tier ? withBundle(job) : withStock(job, read));
process.exit(0);
