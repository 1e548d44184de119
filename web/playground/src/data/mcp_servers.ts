/** MCP servers by their addresses: whether they are connected, and which of their tools are offered. */
import { computed, signal } from "@preact/signals";
import type { Tool } from "../../../src/agent/ports.js";
import { coreReady } from "../core/load_core.js";
import type { McpTools } from "../mcp/connection.js";
import { addressTrouble } from "../models/http_source.js";
import { wordsOf } from "./notices.js";

export interface McpServer {
  readonly id: number;
  readonly address: string;
}

export type McpStatus =
  | { readonly kind: "off" }
  | { readonly kind: "connecting" }
  | { readonly kind: "ready"; readonly found: McpTools; readonly left: ReadonlySet<string> }
  | { readonly kind: "failed"; readonly words: string };

export const mcpServers = signal<readonly McpServer[]>([]);
export const mcpStatuses = signal<ReadonlyMap<number, McpStatus>>(new Map());
/** In memory only, each for the address that it was entered for. */
export const mcpKeys = signal<ReadonlyMap<number, string>>(new Map());

export const mcpTools = computed<readonly Tool[]>(() =>
  mcpServers.value.flatMap(({ id }) => {
    const status = mcpStatusOf(id);
    return status.kind === "ready" ? status.found.tools.filter(({ spec }) => !status.left.has(spec.name)) : [];
  }),
);

/** The servers as they may be stored: an address may hold a key where it has a user or a query. */
export const storableServers = computed<readonly McpServer[]>(() =>
  mcpServers.value.filter(({ address }) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    return url !== undefined && url.search === "" && url.username === "" && url.password === "";
  }),
);

export const mcpStatusOf = (id: number): McpStatus => mcpStatuses.value.get(id) ?? { kind: "off" };

export function addServer(): number {
  const id = Math.max(0, ...mcpServers.value.map((server) => server.id)) + 1;
  mcpServers.value = [...mcpServers.value, { id, address: "" }];
  return id;
}

export function removeServer(id: number): void {
  disconnect(id);
  mcpServers.value = mcpServers.value.filter((server) => server.id !== id);
}

export function changeAddress(id: number, address: string): void {
  disconnect(id);
  mcpServers.value = mcpServers.value.map((server) => (server.id === id ? { id, address } : server));
  changeKey(id, "");
}

export function changeKey(id: number, key: string): void {
  disconnect(id);
  mcpKeys.value = new Map([...mcpKeys.value, [id, key]]);
}

export function disconnect(id: number): void {
  const status = mcpStatusOf(id);
  if (status.kind === "ready") status.found.close();
  set(id, { kind: "off" });
}

/** Connects; what is wrong is its status. */
export async function connect(id: number): Promise<void> {
  disconnect(id);
  const address = mcpServers.value.find((server) => server.id === id)?.address.trim() ?? "";
  const connecting: McpStatus = { kind: "connecting" };
  set(id, connecting);
  try {
    if (!URL.canParse(address))
      throw new Error("Enter the address of an MCP server, such as https://mcp.example.com/mcp.");
    const trouble = addressTrouble(address);
    if (trouble !== "") throw new Error(trouble);
    const { connected } = await import("../mcp/connection.js");
    const found = await connected(await coreReady(), address, mcpKeys.value.get(id)?.trim() ?? "", takenNames());
    if (mcpStatusOf(id) === connecting) set(id, { kind: "ready", found, left: new Set() });
    else found.close();
  } catch (error) {
    if (mcpStatusOf(id) === connecting) set(id, { kind: "failed", words: wordsOf(error) });
  }
}

/** Offers one of a server's tools, or leaves it out. */
export function offer(id: number, tool: string, isOffered: boolean): void {
  const status = mcpStatusOf(id);
  if (status.kind !== "ready") return;
  const left = new Set(status.left);
  if (isOffered) left.delete(tool);
  else left.add(tool);
  set(id, { ...status, left });
}

function takenNames(): Set<string> {
  return new Set(
    [...mcpStatuses.value.values()].flatMap((status) => (status.kind === "ready" ? [status.found.name] : [])),
  );
}

function set(id: number, status: McpStatus): void {
  mcpStatuses.value = new Map([...mcpStatuses.value, [id, status]]);
}
