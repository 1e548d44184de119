/** Writes the service worker beside the page, with the names of the files that it keeps. */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
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
  const copies = copiesOf(folder, digests);
  const named = {
    BUILD: digestOf(JSON.stringify(digests) + text),
    FIRST: Object.fromEntries(digests.filter(([path]) => !LATER.test(path) && !copies.has(path)).map(addressed)),
    COPIES: Object.fromEntries(copies),
    LATER: Object.fromEntries(digests.filter(([path]) => LATER.test(path))),
  };
  const constants = Object.entries(named).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  writeFileSync(join(folder, NAME), constants.join("") + text);
}

/** Gives the compressed copies of files: by the path of each, its digest and length, and the path and length of its content. */
function copiesOf(folder: string, digests: [string, string][]): Map<string, [string, number, string, number]> {
  const byDigest = new Map(digests.map(([path, digest]) => [digest, path]));
  const copies = digests.filter(([path]) => path.endsWith(".gz"));
  return new Map(
    copies.map(([path, digest]) => {
      const copy = readFileSync(join(folder, path));
      const content = gunzipSync(copy);
      const whole = byDigest.get(digestOf(content));
      if (!whole) throw new Error(`expected the content of ${path} among the files of the build`);
      return [path, [digest, copy.length, whole, content.length]];
    }),
  );
}

/** The page has the address of its folder; pages have no digest, since some hosts add a line to them. */
function addressed([path, digest]: [string, string]): [string, string] {
  return [path === "index.html" ? "./" : path, path.endsWith(".html") ? "" : digest];
}

function digestOf(content: Buffer | string): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
