// The inputs of the bundle, all checked here: Pyodide's npm files, the locked wheels, the core's sources.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readZip } from "./zip.mjs";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const WEB = join(ROOT, "web");
export const OUTPUT = join(WEB, "dist", "bundle");
const PYODIDE = join(WEB, "node_modules", "pyodide");
const WHEELS = join(ROOT, ".cache", "wasm");
const LOCKED = /^([a-z0-9-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$/gm;

export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Gives a file of the npm package pyodide. */
export function pyodideFile(name) {
  try {
    return readFileSync(join(PYODIDE, name));
  } catch (error) {
    throw new Error(`expected web/node_modules/pyodide/${name}; run ./build.sh setup (${error.code})`);
  }
}

/** Gives the versions of Pyodide and CPython, and the tag that an extension must have to be loaded by them. */
export function pyodideInfo() {
  const { info } = JSON.parse(pyodideFile("pyodide-lock.json").toString());
  const { version } = JSON.parse(pyodideFile("package.json").toString());
  const python = `cp${info.python.split(".").slice(0, 2).join("")}`;
  return { version, python: info.python, tag: `${python}-${python}-pyemscripten_${info.abi_version}_${info.arch}` };
}

/** Gives the locked wheels by name: version, and files by path. Every hash and every tag is compared. */
export function lockedWheels(info = pyodideInfo()) {
  const lock = readFileSync(join(ROOT, "requirements", "wasm.txt"), "utf8");
  const present = new Map(wheelFiles().map((bytes) => [sha256(bytes), bytes]));
  const wheels = {};
  for (const [, name, version, hash] of lock.matchAll(LOCKED)) {
    const bytes = present.get(hash);
    if (!bytes)
      throw new Error(
        `expected the wheel of ${name} ${version} with its locked hash in .cache/wasm; run ./build.sh setup`,
      );
    const files = readZip(bytes);
    checkTag(name, files, info);
    wheels[name] = { version, files };
  }
  return wheels;
}

function wheelFiles() {
  let names = [];
  try {
    names = readdirSync(WHEELS).filter((name) => name.endsWith(".whl"));
  } catch {
    // reported below, with the name of the first wheel
  }
  return names.map((name) => readFileSync(join(WHEELS, name)));
}

/** Refuses a wheel whose extension another Pyodide made: it would load, and fail at some call. */
export function checkTag(name, files, info) {
  const record = [...files.keys()].find((path) => path.endsWith(".dist-info/WHEEL"));
  const tags = [
    ...files
      .get(record)
      .toString()
      .matchAll(/^Tag: (\S+)$/gm),
  ].map(([, tag]) => tag);
  if (!tags.includes(info.tag) && !tags.includes("py3-none-any")) {
    throw new Error(
      `the wheel of ${name} is for ${tags.join(", ")}, but Pyodide ${info.version} runs ${info.tag}; ` +
        "lock the wheels again (tools/lock.sh) for the Pyodide that web/package.json names",
    );
  }
}

/** Gives the Python modules below a folder, as a map of their paths relative to it. */
export function pythonFiles(folder, under = "") {
  const files = new Map();
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = under ? `${under}/${entry.name}` : entry.name;
    if (entry.isDirectory()) for (const [name, data] of pythonFiles(folder, path)) files.set(name, data);
    else if (entry.name.endsWith(".py")) files.set(path, readFileSync(join(folder, path)));
  }
  return files;
}

/** Gives the lines of every file of conformance vectors, parsed. */
export function vectors() {
  const folder = join(ROOT, "tests", "vectors");
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const lines = files.sort().flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"));
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}
