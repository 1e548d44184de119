// Makes dist/bundle, all that a browser or an edge host loads for the core: `node web/bundle/build.mjs [--zip-only]`.
//
// Each part is kept in .cache/bundle under a hash of all that went into it, so that a second build reuses them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { OUTPUT, pyodideFile, ROOT, sha256, vectors, WEB } from "./inputs.mjs";
import { manifestOf, writeChanged, writeManifest } from "./manifest.mjs";
import { PACKED, packed } from "./packed.mjs";
import { marked, sealed } from "./seal_script.mjs";
import { readZip, writeZip } from "./zip.mjs";
import { extensionModules, librarySources, pythonZip } from "./python_zip.mjs";

const CACHE = join(ROOT, ".cache", "bundle");

async function main(options) {
  await compileLoader();
  const files = await zipFiles();
  if (!options.includes("--zip-only")) {
    Object.assign(files, await snapshotFiles(files));
    Object.assign(files, await packedCopies(files));
  }
  mkdirSync(OUTPUT, { recursive: true });
  for (const name of readdirSync(OUTPUT)) if (!(name in files) && name !== "manifest.json") rmSync(join(OUTPUT, name));
  for (const [name, bytes] of Object.entries(files)) writeChanged(join(OUTPUT, name), bytes);
  writeManifest(await manifestOf(files));
  const total = Object.values(files).reduce((sum, bytes) => sum + bytes.length, 0);
  console.log(`bundle     ${Object.keys(files).length} files, ${(total / 1e6).toFixed(1)} MB, in web/dist/bundle`);
}

/** The build starts interpreters with the very loader that will start them later. */
async function compileLoader() {
  const tsc = join(WEB, "node_modules", "typescript", "bin", "tsc");
  const settings = ["--target", "es2022", "--module", "nodenext", "--strict", "--skipLibCheck", "--declaration"];
  const entry = join(WEB, "src", "core", "boot.ts");
  const places = ["--rootDir", join(WEB, "src"), "--outDir", join(WEB, "dist"), "--types", "node", "--ignoreConfig"];
  const done = spawnSync(process.execPath, [tsc, ...settings, ...places, entry], { cwd: WEB, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`the loader does not compile:\n${done.stdout}${done.stderr}`);
  await writeParts();
}

const PARTS = [
  {
    folder: "core",
    name: "noble_sha256",
    from: "@noble/hashes",
    code: 'export { sha256 } from "@noble/hashes/sha2.js";',
  },
  { folder: "verify", name: "cborg", from: "cborg", code: 'export { decode, Tokenizer } from "cborg";' },
];

/** What is needed of two packages, as modules of their own: their places are known everywhere. */
async function writeParts() {
  for (const { folder, name, from, code } of PARTS) {
    const place = join(WEB, "dist", folder, name);
    const licence = readFileSync(join(WEB, "node_modules", from, "LICENSE"), "utf8").trim();
    mkdirSync(dirname(place), { recursive: true });
    writeChanged(`${place}.js`, `/*! ${from}\n${licence}\n*/\n${await partOf(code)}`);
    writeChanged(`${place}.d.ts`, readFileSync(join(WEB, "src", folder, `${name}.d.ts`)));
  }
}

/** Gives the module that a line of exports leads to, without all else. */
async function partOf(exports) {
  const bundle = await rolldown({
    input: "part",
    cwd: WEB,
    platform: "neutral",
    treeshake: { moduleSideEffects: false },
    plugins: [
      {
        name: "part",
        resolveId: (id) => (id === "part" ? "\0part" : null),
        load: (id) => (id === "\0part" ? exports : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  return output[0].code;
}

async function zipFiles() {
  const files = {
    "pyodide.asm.wasm": pyodideFile("pyodide.asm.wasm"),
    "pyodide.asm.mjs": await marked(Buffer.from(sealed(pyodideFile("pyodide.asm.mjs").toString()))),
    ...extensionModules(),
  };
  return { ...files, "python.zip": await library("python.zip", files, {}) };
}

/** The compiled modules of the core: for the zip form, or those that the snapshot is made from. */
async function library(name, files, options) {
  const inputs = [...Object.values(files), JSON.stringify(vectors()), ...[...librarySources()].flat(), ...own(LIBRARY)];
  const { startWith } = await import("./start.mjs");
  return kept(name, inputs, () => pythonZip((sources) => startWith(files, sources), options));
}

async function snapshotFiles(files) {
  const sides = Object.keys(extensionModules()).map((name) => files[name]);
  const inputs = [files["pyodide.asm.wasm"], files["pyodide.asm.mjs"], ...sides, ...own(TRIMMING)];
  let cut;
  const part = async (which) => {
    const { trimmed } = await import("./trim.mjs"); // its tools take a second to load
    cut ??= trimmed(pyodideFile("pyodide.asm.mjs").toString(), files["pyodide.asm.wasm"], sides);
    return (await cut)[which];
  };
  const script = { "core.mjs": await kept("core.mjs", inputs, async () => marked(await part("script"))) };
  const whole = await kept("whole.wasm", inputs, () => part("wasm"));
  const { "python.zip": _, ...parts } = files;
  const modules = await library("sealed.zip", parts, { sealed: true });
  const from = [script["core.mjs"], whole, ...sides, modules, JSON.stringify(vectors()), ...own(SNAPSHOT)];
  const { snapshotWith } = await import("./start.mjs");
  const halves = await kept("halves.zip", from, async () =>
    writeZip(new Map(Object.entries(await snapshotWith({ ...files, ...script }, whole, modules)))),
  );
  return { ...script, ...Object.fromEntries(readZip(halves)) };
}

/** The compressed copies of what a page loads with the snapshot; a script is imported, which nothing unpacks. */
async function packedCopies(files) {
  const names = ["core.snapshot", "core.wasm", "core_rest.wasm", ...Object.keys(extensionModules())];
  const copies = names.map(async (name) => {
    const inputs = [files[name], ...own(["packed.mjs"])];
    return [name + PACKED, await kept(`copy-of-${name}`, inputs, () => packed(files[name]))];
  });
  return Object.fromEntries(await Promise.all(copies));
}

/** The scripts that decide how a part is made: those of the build, and the loader's that start an interpreter. */
const TRIMMING = ["trim.mjs", "seal_script.mjs"];
const LIBRARY = [
  "python_zip.mjs",
  "exercise.mjs",
  "start.mjs",
  "zip.mjs",
  "../dist/core/interpreter.js",
  "../dist/core/calls.js",
];
const SNAPSHOT = [
  "data_of_rest.mjs",
  "make_snapshot.mjs",
  "exercise.mjs",
  "split.mjs",
  "start.mjs",
  "wasm_constants.mjs",
  "wasm_sections.mjs",
  "zip.mjs",
  "../dist/core/calls.js",
  "../dist/core/interpreter.js",
  "../dist/core/rest.js",
  "../dist/core/snapshot.js",
];

function own(names) {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  return names.map((name) => readFileSync(join(folder, name)));
}

/** Gives the part made from these inputs, from the cache if it is there. */
async function kept(name, inputs, make) {
  const path = join(CACHE, `${name}.${sha256(inputs.map((input) => sha256(input)).join("\n"))}`);
  if (existsSync(path)) return readFileSync(path);
  console.log(`making     ${name}`);
  const bytes = await make();
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE)) if (old.startsWith(`${name}.`)) rmSync(join(CACHE, old));
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path); // a build that was stopped leaves no half of a file
  return bytes;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // Uncaught, Node would print the line it came from, which in the interpreter's script is all of it.
  console.error(error.stack.slice(0, 4000));
  process.exitCode = 1;
}
