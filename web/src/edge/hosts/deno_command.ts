/**
 * The command that starts the Deno host with exactly the permissions it needs: node dist/edge/hosts/deno_command.js CONFIG.json
 *
 * With --print it is shown instead of run. The configuration's port must not be 0: a permission names its port.
 */
import { spawn } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { MANIFEST } from "../../core/bundle_manifest.js";
import type { HostConfig } from "./config.js";
import { readConfig } from "./config.js";

// No prompts, downloads, installs or lookups at the start.
const CLOSED = ["--no-prompt", "--no-remote", "--no-npm", "--no-config", "--no-lock", "--cached-only", "--quiet"];

const BUNDLE = new URL("../../bundle/", import.meta.url);

/** The packages that the service imports, by the files they lie in: without npm, Deno knows none by its name. */
const PACKAGES = { "eventsource-parser": import.meta.resolve("eventsource-parser") };

/** Gives Deno's arguments for a configuration and the file it stands in; files are named one by one. */
export async function denoArguments(configFile: string, config: HostConfig): Promise<string[]> {
  if (config.port === 0)
    throw new Error("expected a port in the configuration: Deno is given the right to listen at that port only");
  const files = await Promise.all(
    [configFile, ...Object.keys(MANIFEST.files).map((name) => fileURLToPath(new URL(name, BUNDLE)))].map((file) =>
      realpath(file),
    ),
  );
  return [
    "run",
    ...CLOSED,
    `--import-map=data:application/json,${encodeURIComponent(JSON.stringify({ imports: PACKAGES }))}`,
    `--allow-read=${files.map(escaped).join(",")}`,
    `--allow-net=${reached(config).join(",")}`,
    fileURLToPath(new URL("deno.js", import.meta.url)),
    files[0]!,
  ];
}

/** Gives the addresses that the service listens at and talks to. */
function reached(config: HostConfig): string[] {
  const own = `${config.hostname}:${config.port}`;
  const model = config.model ? [withPort(new URL(config.model.base_url))] : [];
  return [...new Set([own, ...model, ...config.allowed_hosts])];
}

function withPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

/** A comma separates the files of a list; doubled, it is a comma in a name. */
function escaped(file: string): string {
  return file.replaceAll(",", ",,");
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { print: { type: "boolean" } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) throw new Error("expected the path of a configuration file; see docs/edge.md");
  const command = await denoArguments(file, readConfig(await readFile(file, "utf8")));
  if (values.print) {
    console.log(["deno", ...command].map(quoted).join(" "));
    return;
  }
  const deno = spawn("deno", command, { stdio: "inherit" });
  deno.once("error", () =>
    fail("Deno was not found on PATH; install it, or run this by npx with the package deno beside it"),
  );
  deno.once("exit", (code) => (process.exitCode = code ?? 1));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => deno.kill(signal));
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
}
