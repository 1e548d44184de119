/**
 * The command that starts the worker: node dist/edge/hosts/workerd_command.js CONFIG.json
 *
 * Writes workerd's own configuration into a folder that only the user can read, and hands it to workerd. With --print it
 * is shown instead, without secrets; --worker FOLDER starts another worker than dist/workerd. The worker reaches
 * its model's server, the allowed hosts' addresses, and nothing else.
 */
import type { ChildProcess, StdioOptions } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { HostConfig } from "./config.js";
import { readConfig } from "./config.js";

/** Where `web/bundle_workerd/build.mjs` puts the worker. */
export const WORKER_FOLDER = fileURLToPath(new URL("../../workerd", import.meta.url));

/** Where the bundle lies, whose files the worker has without a copy of its own. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** Gives workerd's configuration for the service's own and its text. */
export function workerdConfig(config: HostConfig, text: string): string {
  if (config.port === 0)
    throw new Error("expected a port in the configuration: workerd does not say which free one it took");
  return `using Workerd = import "/workerd/workerd.capnp";
using Worker = import "/modules.capnp";
const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge),
    (name = "internet", network = (allow = ${listed(outbound(config))}, tlsOptions = (trustBrowserCas = true))),
${modelService(config)}  ],
  sockets = [(name = "http", address = ${quoted(`${config.hostname}:${config.port}`)}, http = (), service = "edge")],
);
const edge :Workerd.Worker = (
  modules = Worker.modules,
  compatibilityDate = "2025-06-01",
  compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2", "enable_request_signal"],
  bindings = [
    (name = "CONFIG", text = ${quoted(text)}),
${config.model ? '    (name = "MODEL", service = "model"),\n' : ""}  ],
);
`;
}

/** The model's server as a service of its own: what the worker sends to it can go nowhere else. */
function modelService({ model }: HostConfig): string {
  if (!model) return "";
  const { protocol, hostname, port } = new URL(model.base_url);
  if (protocol === "http:")
    return `    (name = "model", external = (address = ${quoted(`${hostname}:${port || 80}`)}, http = ())),\n`;
  const tls = `https = (options = (), tlsOptions = (trustBrowserCas = true), certificateHost = ${quoted(hostname)})`;
  return `    (name = "model", external = (address = ${quoted(`${hostname}:${port || 443}`)}, ${tls})),\n`;
}

/** Hosts are held back by fetch_url by name; here by address: public ones, and those that are allowed as an address. */
function outbound({ allowed_hosts }: HostConfig): string[] {
  if (allowed_hosts.length === 0) return [];
  const addresses = allowed_hosts.map((host) => host.split(":", 1)[0]!).filter(isIPv4);
  return ["public", ...new Set(addresses.map((address) => `${address}/32`))];
}

function listed(texts: string[]): string {
  return `[${texts.map(quoted).join(", ")}]`;
}

/** A string of Cap'n Proto's text form; control characters and all beyond ASCII are written as their bytes. */
function quoted(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  const written = bytes.map((byte) =>
    byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 ? String.fromCharCode(byte) : octal(byte),
  );
  return `"${written.join("")}"`;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}

async function main(): Promise<void> {
  const options = { print: { type: "boolean" }, worker: { type: "string", default: WORKER_FOLDER } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) throw new Error("expected the path of a configuration file; see docs/edge.md");
  const text = await readFile(file, "utf8");
  const config = readConfig(text);
  if (values.print) return console.log(workerdConfig(config, withoutSecrets(text)));
  const written = workerdConfig(config, text);
  const folder = await mkdtemp(join(tmpdir(), "purestep-workerd-"));
  await writeFile(join(folder, "config.capnp"), written, { mode: 0o600 });
  await start(values.worker, folder, `http://${config.hostname}:${config.port}`);
}

/** Gives the configuration with the model's key and the secrets of seals left blank, for people to look at. */
function withoutSecrets(text: string): string {
  const config = JSON.parse(text) as Partial<HostConfig>;
  const blank = "(not shown)";
  if (config.model?.api_key) config.model.api_key = blank;
  for (const key of config.seal_keys ?? []) Object.assign(key, { secret: blank });
  return JSON.stringify(config);
}

/**
 * Runs workerd on the configuration, compiled first: of a text that embeds files workerd keeps copies, and takes 58 MB
 * more. The folder has secrets, and goes with the process.
 */
async function start(worker: string, folder: string, url: string): Promise<void> {
  const compiled = join(folder, "config.bin");
  const output = await open(compiled, "w", 0o600);
  const embedded = ["-I", worker, "-I", PACKAGE, join(folder, "config.capnp")];
  const code = await ended(workerd(["compile", "--config-only", ...embedded], ["ignore", output.fd, "inherit"]));
  await output.close();
  if (code === 0) {
    const server = workerd(["serve", "--control-fd=3", "-b", compiled], ["ignore", "inherit", "inherit", "pipe"]);
    // The first line on the control pipe says that the socket is open.
    server.stdio[3]?.once("data", () => console.error(`listening on ${url}`));
    process.exitCode = await ended(server);
  } else process.exitCode ||= code;
  await rm(folder, { recursive: true, force: true });
}

/** Starts workerd, which gets the signals that this process gets. */
function workerd(options: string[], stdio: StdioOptions): ChildProcess {
  const child = spawn("workerd", options, { stdio });
  child.once("error", () =>
    fail("workerd was not found on PATH; install it, or run this by npx with the package workerd beside it"),
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const pass = (): void => void child.kill(signal);
    process.on(signal, pass);
    child.once("close", () => process.off(signal, pass));
  }
  return child;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((done) => child.once("close", (code) => done(code ?? 1)));
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
}
