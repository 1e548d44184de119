/**
 * Makes the page of `purestep serve` that shows runs: a script and a style, without anything from elsewhere.
 *
 *     node build.mjs [FOLDER]     writes into hosts/purestep_hosts/serve/dashboard
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const HERE = new URL(".", import.meta.url);
const FOLDER = process.argv[2] ?? fileURLToPath(new URL("../../hosts/purestep_hosts/serve/dashboard", HERE));
const STYLES = ["../react/styles.css", "page.css"];

const bundle = await rolldown({
  input: fileURLToPath(new URL("main.tsx", HERE)),
  checks: { moduleLevelDirective: false }, // "use client" of the components says nothing here
  // The components are written for React; its small sister has the same interface in a tenth of the size.
  resolve: {
    extensionAlias: { ".js": [".ts", ".tsx", ".js"] },
    alias: { react: "preact/compat", "react/jsx-runtime": "preact/jsx-runtime" },
  },
});
const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
await bundle.close();
mkdirSync(FOLDER, { recursive: true });
const read = (name) => readFileSync(new URL(name, HERE), "utf8");
writeFileSync(`${FOLDER}/dashboard.js`, output[0].code);
writeFileSync(`${FOLDER}/dashboard.css`, STYLES.map(read).join("\n"));
writeFileSync(`${FOLDER}/index.html`, read("index.html"));
