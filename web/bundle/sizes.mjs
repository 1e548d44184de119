// Measures what each file of the bundle and of the loader takes when it is sent compressed: prints JSON, name to bytes.
//
// Brotli at its highest quality takes a minute for the whole bundle, so a size is kept by the hash of its file; the
// manifest of the next build tells it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { OUTPUT, ROOT, sha256, WEB } from "./inputs.mjs";

const KEPT = join(ROOT, ".cache", "brotli");
// A window of 16 MB is the largest that every browser takes.
const BEST = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };

function brotliSize(bytes) {
  const kept = join(KEPT, sha256(bytes));
  if (existsSync(kept)) return Number(readFileSync(kept, "utf8"));
  const params = { ...BEST, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const size = brotliCompressSync(bytes, { params }).length;
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(kept, String(size));
  return size;
}

const manifest = JSON.parse(readFileSync(join(OUTPUT, "manifest.json"), "utf8"));
const sizes = {};
for (const name of Object.keys(manifest.files)) {
  sizes[name] = { brotli: brotliSize(readFileSync(join(OUTPUT, name))), tiers: manifest.files[name].tiers };
}
const loader = join(WEB, "dist", "core");
const scripts = readdirSync(loader).filter((name) => name.endsWith(".js"));
const all = Buffer.concat([...scripts, "../errors.js"].map((name) => readFileSync(join(loader, name))));
sizes["the loader's scripts"] = { brotli: brotliSize(all), tiers: ["snapshot", "zip"] };
console.log(JSON.stringify(sizes));
