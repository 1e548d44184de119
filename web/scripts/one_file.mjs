// Makes dist/one, the package for a page without a bundler: one module for the page, and one for the core's worker.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { WEB } from "../bundle/inputs.mjs";
import { writeChanged } from "../bundle/manifest.mjs";

const DIST = join(WEB, "dist");
const PAGE = 'export * from "./index.js"; export { default } from "./index.js"; export * from "./models/openai.js";';
const ENTRY = join(DIST, "entry.js");
/** The module that each is made from, and what it holds of others, by the names of their packages. */
const FILES = {
  "purestep.js": { input: ENTRY, parts: ["eventsource-parser", "@noble/hashes"] },
  "thread.js": { input: join(DIST, "worker", "thread.js"), parts: ["@noble/hashes"] },
};

/** Gives a module with all that it imports. */
async function bundled(input) {
  const entry = {
    name: "entry",
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? PAGE : null),
  };
  const bundle = await rolldown({ input, cwd: WEB, platform: "browser", plugins: [entry] });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  if (output.length !== 1) throw new Error(`expected one module; got ${output.map(({ fileName }) => fileName)}`);
  return output[0].code;
}

function licence(name) {
  return `/*! ${name}\n${readFileSync(join(WEB, "node_modules", name, "LICENSE"), "utf8").trim()}\n*/\n`;
}

mkdirSync(join(DIST, "one"), { recursive: true });
for (const [name, { input, parts }] of Object.entries(FILES)) {
  const code = (await bundled(input)).replace(/\/\*!.*?\*\/\n?/gs, ""); // in whose place the whole licences stand
  writeChanged(join(DIST, "one", name), parts.map(licence).join("") + code);
}
