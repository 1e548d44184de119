/** What a call of an MCP server's tool gives, read block by block: one that cannot be read costs the others nothing. */
import { ToolFailure } from "../../../src/tools/tool.js";

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: { readonly text?: unknown; readonly blob?: unknown; readonly uri?: unknown };
}

export interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

/** Gives the structured content, or the text, with the images and files beside it; throws ToolFailure for an error. */
export function outputOf({ content, structuredContent, isError }: Result, server: string): unknown {
  const blocks = (Array.isArray(content) ? content : []) as (Block | null)[];
  const pieces = blocks.map((block) => pieceOf(block ?? {}));
  const text = pieces.filter((piece) => typeof piece === "string").join("\n");
  if (isError === true)
    throw new ToolFailure(text || `the MCP server ${server} reported an error and did not say which`);
  const files = pieces.filter((piece) => typeof piece !== "string");
  if (files.length > 0) return [...(text === "" ? [] : [text]), ...files];
  return structuredContent ?? text;
}

function pieceOf({ type, text, data, uri, name, resource }: Block): string | Uint8Array {
  if (type === "text" && typeof text === "string") return text;
  if ((type === "image" || type === "audio") && typeof data === "string")
    return bytesOf(data) ?? "[left out: broken base64]";
  if (type === "resource_link") return `[link: ${wordOf(name)}, ${wordOf(uri)}]`;
  if (type === "resource" && typeof resource?.text === "string") return resource.text;
  if (type === "resource" && typeof resource?.blob === "string")
    return bytesOf(resource.blob) ?? `[left out: resource ${wordOf(resource.uri)}]`;
  return `[left out: a block that cannot be read, of the type ${wordOf(type)}]`;
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const wordOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 300) : "unknown");
