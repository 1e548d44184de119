/** The tools that a new run gets beside those of its definition: written here, and of MCP servers. */
import { computed } from "@preact/signals";
import { applyEdits, modify, parse } from "jsonc-parser";
import type { Tool } from "../../../src/agent/ports.js";
import type { ToolSpec } from "../../../src/generated/wire.js";
import { mcpTools } from "./mcp_servers.js";
import { codeSettled, codeTools, codeToolsAnew } from "./own_code.js";

export const offeredTools = computed<readonly Tool[]>(() => [...codeTools.value, ...mcpTools.value]);

/** Gives them once those that are being started are there. */
export async function offeredWhenReady(): Promise<readonly Tool[]> {
  await codeSettled();
  return offeredTools.value;
}

/** Gives them for a run beside another one: those written here start anew for it, until `close`. */
export async function offeredAnew(): Promise<{ readonly offered: readonly Tool[]; readonly close: () => void }> {
  const { tools, close } = await codeToolsAnew();
  return { offered: [...tools, ...mcpTools.value], close };
}

const AS_WRITTEN = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** Gives a definition's text with these tools, one in the place of the definition's own of its name. */
export function withTools(definition: string, specs: readonly ToolSpec[]): string {
  return specs.reduce((text, spec) => {
    const { tools } = (parse(text) ?? {}) as { tools?: unknown };
    const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
    const place = listed.findIndex((each) => (each as { name?: unknown } | null)?.name === spec.name);
    if (!Array.isArray(tools)) return applyEdits(text, modify(text, ["tools"], [spec], AS_WRITTEN));
    const path = ["tools", place === -1 ? listed.length : place];
    return applyEdits(text, modify(text, path, spec, { ...AS_WRITTEN, isArrayInsertion: place === -1 }));
  }, definition);
}
