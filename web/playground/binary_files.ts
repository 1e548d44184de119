/**
 * Serves the core's snapshot as the bytes that it is.
 *
 * The server knows no type for its name, so it would take it for text and compress twelve megabytes for each visitor.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";

function nameType(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const path = new URL(request.url ?? "/", "http://host").pathname;
  if (path.endsWith(".snapshot")) response.setHeader("Content-Type", "application/octet-stream");
  next();
}

/** Vite's plugin for the development and the preview server. */
export function binaryFiles(): Plugin {
  return {
    name: "purestep-binary-files",
    configureServer: (server) => void server.middlewares.use(nameType),
    configurePreviewServer: (server) => void server.middlewares.use(nameType),
  };
}
