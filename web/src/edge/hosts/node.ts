/** The edge service in Node: node dist/edge/hosts/node.js CONFIG.json */
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { createAgentCore } from "../../core/core.js";
import { createEdgeHandler } from "../handler.js";
import type { HostConfig } from "./config.js";
import { readConfig } from "./config.js";
import { listening, servedLine, wired } from "./wiring.js";

/** Starts the service; gives its address and a function that stops it. */
export async function serveInNode(config: HostConfig): Promise<{ url: string; close: () => Promise<void> }> {
  const { createAdaptorServer } = await nodeServer();
  const core = await createAgentCore();
  const service = createEdgeHandler({
    ...wired(config, core, "node"),
    onServed: (served) => console.error(servedLine(served)),
  });
  // Node's own Request and Response stay what they are for the rest of the process.
  const server = createAdaptorServer({ fetch: service, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.hostname, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${config.hostname}:${port}`, close: () => closed(server) };
}

async function nodeServer(): Promise<typeof import("@hono/node-server")> {
  try {
    return await import("@hono/node-server");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error("expected the package @hono/node-server, which is optional; run: npm install @hono/node-server", {
      cause: error,
    });
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function main(): Promise<void> {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error("expected the path of a configuration file; see docs/edge.md");
  const { url } = await serveInNode(readConfig(await readFile(file, "utf8")));
  console.error(listening(url));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  });
}
