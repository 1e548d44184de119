// Starts run_vectors.js in Node and in Deno: in_process.mjs JOB, a JSON object {loader, options, vectors}; prints the result.
import { readFileSync } from "node:fs";
import { runVectors } from "./run_vectors.js";

const script = process.argv[2];
const { loader, options, vectors } = JSON.parse(readFileSync(script, "utf8"));
const { boot } = await import(loader);
console.log(JSON.stringify(await runVectors(boot, options, vectors)));
