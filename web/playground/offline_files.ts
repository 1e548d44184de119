/** Writes the service worker beside the page, with the names of the files that it keeps. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Plugin } from "vite";

const SOURCE = fileURLToPath(new URL("service_worker.js", import.meta.url));
const NAME = "service_worker.js";

/** Of the files in assets/: what only a chosen model needs. */
const LATER = /^assets\/(?:webllm_thread|lib|wllama)-/;

/** Vite's plugin for the build. */
export function offlineFiles(): Plugin {
  return {
    name: "purestep-offline-files",
    apply: "build",
    writeBundle: ({ dir }) => writeWorker(dir!),
  };
}

function writeWorker(folder: string): void {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const files = paths.filter((path) => path !== NAME && statSync(join(folder, path)).isFile()).sort();
  const digests = files.map((path): [string, string] => [path, digestOf(readFileSync(join(folder, path)))]);
  const text = readFileSync(SOURCE, "utf8");
  const named = {
    BUILD: digestOf(JSON.stringify(digests) + text),
    FIRST: Object.fromEntries(digests.filter(([path]) => !LATER.test(path)).map(addressed)),
    LATER: Object.fromEntries(digests.filter(([path]) => LATER.test(path))),
  };
  const constants = Object.entries(named).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  writeFileSync(join(folder, NAME), constants.join("") + text);
}

/** The page has the address of its folder; pages have no digest, since some hosts add a line to them. */
function addressed([path, digest]: [string, string]): [string, string] {
  return [path === "index.html" ? "./" : path, path.endsWith(".html") ? "" : digest];
}

function digestOf(content: Buffer | string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
