// The manifest: size and hash of every file of the bundle. The package carries it as a module, the folder as JSON.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PACKED } from "./packed.mjs";
import { sourceHash } from "./seal_script.mjs";
import { lockedWheels, OUTPUT, pyodideInfo, ROOT, sha256, vectors, WEB } from "./inputs.mjs";

const BROTLI_SIZES = join(ROOT, ".cache", "brotli");

/** Gives the versions of everything that the bundle holds. */
export function versions() {
  const info = pyodideInfo();
  const wheels = lockedWheels(info);
  const { version } = JSON.parse(coreInfo());
  return {
    purestep: version,
    pyodide: info.version,
    python: info.python,
    abi: info.tag,
    msgspec: wheels.msgspec.version,
  };
}

function coreInfo() {
  const vector = vectors().find((each) => each.function === "core_info");
  if (!vector)
    throw new Error("expected a vector of core_info in tests/vectors: the loader asks it of every core it starts");
  return vector.output;
}

/** Gives the manifest of the files; their budget says which forms load a file at first. */
export async function manifestOf(files) {
  const budget = JSON.parse(readFileSync(join(WEB, "bundle", "budget.json"), "utf8"));
  const plain = Object.entries(files).filter(([name]) => !name.endsWith(PACKED));
  const entries = plain.map(([name, bytes]) => [name, entryOf(bytes, budget[name].tiers, files[name + PACKED])]);
  const scripts = {};
  for (const name of Object.keys(files).filter((each) => each.endsWith(".mjs"))) {
    scripts[name] = await sourceHash(files[name]);
  }
  return { versions: versions(), coreInfo: coreInfo(), scripts, files: Object.fromEntries(entries) };
}

function entryOf(bytes, tiers, packed) {
  const hash = sha256(bytes);
  const known = join(BROTLI_SIZES, hash);
  const brotli = existsSync(known) ? Number(readFileSync(known, "utf8")) : null;
  const copy = packed && { packed: { sha256: sha256(packed), bytes: packed.length } };
  return { sha256: hash, bytes: bytes.length, brotli, tiers, ...copy };
}

/** Writes the manifest in both places; what is there already and equal keeps its time. */
export function writeManifest(manifest) {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  // A bundler copies what it finds an address of: one form, and what is loaded after it.
  const form = "core.snapshot" in manifest.files ? "snapshot" : "zip";
  const copied = Object.entries(manifest.files)
    .filter(([, { tiers }]) => tiers.length === 0 || tiers.includes(form))
    .flatMap(([name, { packed }]) => (packed ? [name, name + PACKED] : [name]));
  const urls = copied.map(
    (name) => `  ${JSON.stringify(name)}: () => new URL(${JSON.stringify(`../bundle/${name}`)}, import.meta.url),\n`,
  );
  const module = [
    "// Written by web/bundle/build.mjs.",
    `export const MANIFEST = ${text.trimEnd()};\n`,
    `export const URLS = {\n${urls.join("")}};\n`,
  ].join("\n");
  const core = join(WEB, "dist", "core");
  mkdirSync(core, { recursive: true });
  writeChanged(join(OUTPUT, "manifest.json"), text);
  writeChanged(join(core, "bundle_manifest.js"), module);
  writeChanged(join(core, "bundle_manifest.d.ts"), readFileSync(join(WEB, "src", "core", "bundle_manifest.d.ts")));
}

/** Writes a file unless it holds these very bytes. */
export function writeChanged(path, data) {
  if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(data))) writeFileSync(path, data);
}
