// Makes dist/workerd, the edge service as a worker: `node web/bundle_workerd/build.mjs [--tier zip|snapshot]`.
// `--entry FILE --output FOLDER` makes a worker of another entry: its imports are found beside it, or beside workerd.js.
//
// Needs dist (npx tsc -p web) and dist/bundle (node web/bundle/build.mjs). The worker's scripts become one
// module; beside it lie the parts of the bundle, and every WebAssembly module that the interpreter compiles as it runs,
// recorded here in Node, because workerd compiles none.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { recordedModules } from "./record.mjs";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(WEB, "dist");
const HOSTS = "edge/hosts";
const PARTS = `${HOSTS}/workerd_parts.js`;

/** The script and the main module of each form, and what holds its Python. */
const TIERS = {
  zip: { script: "pyodide.asm.mjs", main: "pyodide.asm.wasm", data: "python.zip" },
  snapshot: { script: "core.mjs", main: "core.wasm", rest: "core_rest.wasm", data: "core.snapshot" },
};

async function main({ tier: asked, entry, output }) {
  const manifest = JSON.parse(readFileSync(needed(join(DIST, "bundle", "manifest.json")), "utf8"));
  const tier = tierOf(asked, manifest);
  const recorded = await recordedModules(tier, TIERS[tier]);
  const { SIDE_MODULES } = await import("../dist/core/side_modules.js");
  rmSync(output, { recursive: true, force: true });
  const modules = [await script(entry), ...bundleFiles(tier, SIDE_MODULES), ...recordedFiles(recorded)];
  modules.push({ name: PARTS, kind: "esModule", data: partsModule(tier, manifest, SIDE_MODULES, recorded) });
  for (const { name, data, kept } of modules) if (!kept) write(join(output, name), data);
  write(join(output, "modules.capnp"), capnpOf(modules));
  const total = modules.reduce((sum, { data, kept }) => sum + (kept ? 0 : data.length), 0);
  const counted = `${modules.length} modules (${recorded.length} recorded), ${(total / 1e6).toFixed(1)} MB`;
  console.log(`workerd    ${tier}, ${counted}, in ${relative(process.cwd(), output)}`);
}

function tierOf(asked, manifest) {
  const tier = asked ?? (manifest.files["core.snapshot"] ? "snapshot" : "zip");
  if (!(tier in TIERS)) throw new Error(`expected --tier zip or snapshot; got ${tier}`);
  return tier;
}

/** Gives the entry with every script that it imports in one module, all but the parts, which are WebAssembly and data. */
async function script(entry) {
  const bundle = await rolldown({
    input: entry,
    external: (id) => id.endsWith(basename(PARTS)),
    plugins: [ownScripts],
  });
  const { output } = await bundle.generate({ format: "es", codeSplitting: false });
  // Beside the parts, whichever way the import was written.
  const code = output[0].code.replace(/(from\s*)"[^"]*workerd_parts\.js"/, '$1"./workerd_parts.js"');
  return { name: `${HOSTS}/${basename(entry)}`, kind: "esModule", data: code };
}

/** Finds what an entry elsewhere imports as if it lay beside workerd.js. */
const ownScripts = {
  name: "own-scripts",
  resolveId(source, importer) {
    if (!importer || !source.startsWith(".") || existsSync(join(dirname(importer), source))) return null;
    return needed(join(DIST, HOSTS, source));
  },
};

function bundleFiles(tier, sideModules) {
  const { script, main, rest, data } = TIERS[tier];
  const kinds = { [script]: "esModule", [main]: "wasm", [data]: "data", ...(rest && { [rest]: "wasm" }) };
  for (const name of Object.keys(sideModules)) kinds[name] = "wasm";
  for (const name of Object.keys(kinds)) needed(join(DIST, "bundle", name));
  return Object.entries(kinds).map(([name, kind]) => ({ name: `bundle/${name}`, kind, kept: true }));
}

function recordedFiles(recorded) {
  return recorded.map((data, index) => ({ name: `recorded/${index}.wasm`, kind: "wasm", data }));
}

/** Writes the module that hands the parts to the worker; src/edge/hosts/workerd_parts.d.ts is its shape. */
function partsModule(tier, manifest, sideModules, recorded) {
  const { script, main, rest, data } = TIERS[tier];
  const up = relative(dirname(PARTS), ".");
  const sides = Object.entries(sideModules);
  const lines = [
    `import createModule from "${up}/bundle/${script}";`,
    `import main from "${up}/bundle/${main}";`,
    `import data from "${up}/bundle/${data}";`,
    rest ? `import rest from "${up}/bundle/${rest}";` : "const rest = undefined;",
    ...sides.map(([name], index) => `import side${index} from "${up}/bundle/${name}";`),
    ...recorded.map((_, index) => `import recorded${index} from "${up}/recorded/${index}.wasm";`),
    `export const TIER = ${JSON.stringify(tier)};`,
    `export const VERSIONS = ${JSON.stringify(manifest.versions)};`,
    `export const CORE_INFO = ${JSON.stringify(manifest.coreInfo)};`,
    `const sideModules = [${sides.map(([, path], index) => `{ path: ${JSON.stringify(path)}, module: side${index} }`).join(", ")}];`,
    `export const PARTS = { createModule, main, sideModules${tier === "zip" ? ", library: new Uint8Array(data)" : ""} };`,
    `export const SNAPSHOT = ${tier === "snapshot" ? "new Uint8Array(data)" : "undefined"};`,
    "export const REST = rest;",
    `export const COMPILED = new Map([${recorded.map((bytes, index) => `["${bytes.toString("hex")}", recorded${index}]`).join(", ")}]);`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Writes the list of modules; a worker's configuration imports it. The first is the entry. */
function capnpOf(modules) {
  const listed = modules.map(
    // A leading slash is looked up in workerd's import folders, of which dist is one.
    ({ name, kind, kept }) =>
      `  (name = ${JSON.stringify(name)}, ${kind} = embed ${JSON.stringify(kept ? `/${name}` : name)}),`,
  );
  return `@0xb3d1f2a4c5e60718;
using Workerd = import "/workerd/workerd.capnp";
const modules :List(Workerd.Worker.Module) = [
${listed.join("\n")}
];
`;
}

function write(path, data) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
}

function needed(path) {
  if (existsSync(path)) return path;
  throw new Error(`expected ${relative(WEB, path)}; run npx tsc -p web and node web/bundle/build.mjs first`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const texts = { tier: { type: "string" }, entry: { type: "string" }, output: { type: "string" } };
    const defaults = { entry: join(DIST, HOSTS, "workerd.js"), output: join(DIST, "workerd") };
    await main({ ...defaults, ...parseArgs({ options: texts }).values });
  } catch (error) {
    // Uncaught, Node would print the line it came from, which in the interpreter's script is all of it.
    console.error(error.message.slice(0, 2000));
    process.exitCode = 1;
  }
}
