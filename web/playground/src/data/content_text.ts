/** What a message says, as text: its images and files by name, type and size. */
import type { ChatPart } from "../../../src/agent/ports.js";
import type { FilePart, ImagePart, TextPart } from "../../../src/generated/wire.js";
import { bytes } from "../views/amounts.js";

export type Content = string | readonly (TextPart | ImagePart | FilePart | ChatPart)[];

export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${partText(part)}]`)).join("\n");
}

/** Gives the words of a message. */
export function wordsOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Gives the images and files of a message. */
export function filesOf(content: Content): (ImagePart | FilePart)[] {
  return typeof content === "string" ? [] : content.filter((part) => "digest" in part);
}

/** Gives the name, the type and the size of an image or a file. */
export function partText(part: ImagePart | FilePart | Exclude<ChatPart, { type: "text" }>): string {
  if (!("digest" in part)) return part.type;
  return [part.name, part.media_type, bytes(part.bytes)].filter(Boolean).join(", ");
}
