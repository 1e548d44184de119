/**
 * The edge service in Deno, with permissions only to read its own files, to listen, and to reach its model.
 *
 * deno_command.ts gives the command with exactly those permissions.
 */
import { createAgentCore } from "../../core/core.js";
import { createEdgeHandler } from "../handler.js";
import { readConfig } from "./config.js";
import { listening, servedLine, wired } from "./wiring.js";

/** The part of Deno that is used here. */
declare const Deno: {
  readonly args: readonly string[];
  exit(code: number): never;
  readFile(path: URL): Promise<Uint8Array>;
  readTextFile(path: string): Promise<string>;
  serve(options: DenoServeOptions, answer: (request: Request) => Promise<Response>): unknown;
};

interface DenoServeOptions {
  hostname: string;
  port: number;
  onListen: (address: { hostname: string; port: number }) => void;
}

async function main(): Promise<void> {
  const config = readConfig(await Deno.readTextFile(Deno.args[0] ?? ""));
  const core = await createAgentCore({ read: (_name, url) => Deno.readFile(url) });
  const service = createEdgeHandler({
    ...wired(config, core, "deno"),
    onServed: (served) => console.error(servedLine(served)),
  });
  const onListen = ({ hostname, port }: { hostname: string; port: number }): void =>
    console.error(listening(`http://${hostname}:${port}`));
  Deno.serve({ hostname: config.hostname, port: config.port, onListen }, service);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  Deno.exit(2);
});
