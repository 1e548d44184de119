// Runs conformance vectors in Pyodide: node run_vectors.mjs CORE_ZIP WHEEL_FOLDER VECTORS.jsonl...
// Prints {"passed": number, "failed": [{"name", "expected", "got"}]}; the exit code tells only whether it could run.
import { readFile } from "node:fs/promises";
import { startCore } from "./core.mjs";

const [coreArchive, wheelFolder, ...vectorFiles] = process.argv.slice(2);
const { fn } = await startCore(coreArchive, wheelFolder);
const functions = new Map();
const failed = [];
let passed = 0;

for (const file of vectorFiles) {
  for (const line of (await readFile(file, "utf8")).split("\n").filter(Boolean)) {
    const vector = JSON.parse(line);
    if (!functions.has(vector.function)) functions.set(vector.function, fn(vector.function));
    const got = functions.get(vector.function)(...vector.args);
    if (got === vector.output) passed += 1;
    else failed.push({ name: vector.name, expected: vector.output, got: String(got) });
  }
}
console.log(JSON.stringify({ passed, failed }));
