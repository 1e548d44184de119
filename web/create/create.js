#!/usr/bin/env node
/** Writes a new project: npm create purestep FOLDER -- --template react */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** Each template: what it is, the folders that it is copied from, later over earlier, and how it is started. */
const TEMPLATES = {
  react: { what: "a page with React and Vite", from: ["common", "chat", "page", "react"], start: "npm run dev" },
  vite: { what: "a page with Vite and no framework", from: ["common", "page", "vite"], start: "npm run dev" },
  next: { what: "a Next app, with the agent in the page", from: ["common", "chat", "next"], start: "npm run dev" },
  edge: { what: "a stateless HTTP service in Node", from: ["common", "edge"], start: "npm start" },
};
const NAMES = Object.keys(TEMPLATES);
const KINDS = NAMES.map((name) => `  ${name.padEnd(6)} ${TEMPLATES[name].what}\n`).join("");
const USAGE = `npm create purestep FOLDER -- --template ${NAMES.join("|")}`;

class Refusal extends Error {}

async function main() {
  const { folder, template } = await choices();
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Refusal(`${folder} is there and has files in it: name a new folder, or an empty one.`);
  const { from, start } = TEMPLATES[template];
  for (const part of from)
    cpSync(fileURLToPath(new URL(`templates/${part}`, import.meta.url)), target, { recursive: true });
  // These have no dot of their own, since npm and git would leave them out.
  for (const name of ["env", "gitignore"]) renameSync(join(target, `_${name}`), join(target, `.${name}`));
  const manifest = join(target, "package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace("PROJECT", packageName(target)));
  const cd = relative(process.cwd(), target);
  console.log(
    `Made ${folder}. Next:\n\n${cd && `  cd ${quoted(cd)}\n`}  npm install\n  ${start}\n\nREADME.md says the rest.`,
  );
}

async function choices() {
  const { values, positionals } = options();
  const [folder, extra] = positionals;
  if (extra !== undefined) throw new Refusal(`Expected one folder, got another: ${extra}\nUsage: ${USAGE}`);
  const asked = asker();
  try {
    const name = folder ?? (await asked("Folder"));
    return { folder: name, template: chosen(values.template ?? (await asked("Template", KINDS))) };
  } finally {
    asked.close();
  }
}

function options() {
  try {
    return parseArgs({ allowPositionals: true, options: { template: { type: "string", short: "t" } } });
  } catch (error) {
    throw new Refusal(`${error.message}\nUsage: ${USAGE}`);
  }
}

function chosen(name) {
  if (!Object.hasOwn(TEMPLATES, name)) throw new Refusal(`There is no template "${name}": ${NAMES.join(", ")}.`);
  return name;
}

/** Returns what asks on the terminal, line by line; Ctrl-C, Ctrl-D and an empty line make nothing. */
function asker() {
  let terminal;
  const ask = async (what, before = "") => {
    if (!process.stdin.isTTY) throw new Refusal(`Expected a ${what.toLowerCase()}.\nUsage: ${USAGE}`);
    terminal ??= createInterface({ input: process.stdin, output: process.stdout });
    terminal.lines ??= terminal[Symbol.asyncIterator](); // keeps what was typed ahead
    terminal.setPrompt(`${before}${what}: `);
    terminal.prompt();
    const { value = "" } = await terminal.lines.next();
    if (value.trim() === "") throw new Refusal(`\nNothing was made. Usage: ${USAGE}`);
    return value.trim();
  };
  return Object.assign(ask, { close: () => terminal?.close() });
}

/** Returns a path as a shell takes it. */
function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Returns a name that npm takes for a package in this folder. */
function packageName(target) {
  const plain = basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-"); // ascii: npm's rule for names
  return plain.replaceAll(/^-|-$/g, "") || "agent";
}

main().catch((error) => {
  console.error(error instanceof Refusal ? error.message : `The project could not be made: ${error.message}`);
  process.exitCode = 1;
});
