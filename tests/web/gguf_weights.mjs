// Unpacks the GGUF files of a folder, and prints where each result is.
import { openAsBlob, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [built, folder, most] = process.argv.slice(2);
const { unpackedWeights } = await import(built);
const results = {};
for (const name of readdirSync(folder)) {
  const file = await openAsBlob(join(folder, name));
  const unpacked = await unpackedWeights(file, Number(most));
  const path = join(folder, `${name}.unpacked`);
  writeFileSync(path, new Uint8Array(await unpacked.arrayBuffer()));
  results[name] = { path, isSame: unpacked === file };
}
console.log(JSON.stringify(results));
