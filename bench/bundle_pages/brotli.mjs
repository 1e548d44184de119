// Compresses files as a host does that keeps what it compressed: brotli.mjs FOLDER FILE..., each into FOLDER by its hash.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [folder, ...files] = process.argv.slice(2);
// One quality for all ways, below the highest, at which stock Pyodide takes minutes.
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
mkdirSync(folder, { recursive: true });
for (const file of files) {
  const bytes = readFileSync(file);
  const path = join(folder, `${createHash("sha256").update(bytes).digest("hex")}.br`);
  if (existsSync(path)) continue;
  writeFileSync(`${path}.part`, brotliCompressSync(bytes, { params }));
  renameSync(`${path}.part`, path);
}
