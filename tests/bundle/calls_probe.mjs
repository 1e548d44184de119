// Calls a loaded core with what test_calls.py gives: calls_probe.mjs JOB.json, {loader, calls: [[name, ...args]]}; prints the outputs.
import { readFileSync } from "node:fs";

const { loader, calls, tier } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { boot } = await import(loader);
const { call } = await boot({ tier });
console.log(JSON.stringify(calls.map(([name, ...args]) => call(name, ...args))));
