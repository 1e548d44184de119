/**
 * Serves GGUF files of a folder outside the build under /models, so that no build copies a hundred megabytes.
 *
 * The folder is PURESTEP_MODELS, else where the purestep command keeps its default model; its adapter is in the
 * hosts' package.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const PREFIX = "/models/";

/** Files of this checkout that are no models by themselves, by the names under which they are served. */
const SHIPPED: Readonly<Record<string, string>> = {
  "smollm2-135m-tools.gguf": "../../hosts/purestep_hosts/models/smollm2_135m_tools/adapter.gguf",
};

function modelFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return process.env["PURESTEP_MODELS"] || join(cache, "purestep", "models");
}

type Next = () => void;

async function serveModel(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
  const path = new URL(request.url ?? "/", "http://host").pathname;
  if (!path.startsWith(PREFIX)) return next();
  const name = decodeURIComponent(path.slice(PREFIX.length));
  // Names of files in that one folder only: no path leads out of it.
  if (name !== basename(name) || !name.endsWith(".gguf")) return refuse(response, `there is no model named ${name}`);
  const shipped = SHIPPED[name];
  const file = shipped ? fileURLToPath(new URL(shipped, import.meta.url)) : join(modelFolder(), name);
  const size = await stat(file).then(
    (found) => found.size,
    () => undefined,
  );
  if (size === undefined) {
    return refuse(
      response,
      `${name} is not in the model folder of this server; ./build.sh run fetches the default model`,
    );
  }
  send(request, response, file, size);
}

function send(request: IncomingMessage, response: ServerResponse, file: string, size: number): void {
  response.setHeader("Content-Type", "application/octet-stream");
  response.setHeader("Accept-Ranges", "bytes");
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const start = from === undefined ? 0 : Number(from);
  const end = to ? Math.min(Number(to), size - 1) : size - 1;
  if (start > end) {
    response.writeHead(416, { "Content-Range": `bytes */${size}` }).end();
    return;
  }
  if (from !== undefined) response.setHeader("Content-Range", `bytes ${start}-${end}/${size}`);
  response.writeHead(from === undefined ? 200 : 206, { "Content-Length": end - start + 1 });
  if (request.method === "HEAD") response.end();
  else createReadStream(file, { start, end }).pipe(response);
}

function refuse(response: ServerResponse, reason: string): void {
  response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}

/** Vite's plugin for the development and the preview server. */
export function modelFiles(headers: Record<string, string>): Plugin {
  const answer = (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    void serveModel(request, response, next);
  };
  return {
    name: "purestep-model-files",
    configureServer: (server) => void server.middlewares.use(answer),
    configurePreviewServer: (server) => void server.middlewares.use(answer),
  };
}
