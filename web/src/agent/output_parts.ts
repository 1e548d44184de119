/** Images and files that a tool gives: taken out of its output, checked by their bytes, kept, and told in a text. */
import type { FilePart, ImagePart } from "../generated/wire.js";
import { PurestepError } from "../errors.js";
import { type AttachmentSource, type AttachmentStore, attached, isText } from "./attachments.js";

/** Of one result, as the core takes them. */
const MAX_PARTS = 6;

/** What a tool gives: its output, and references to the images and files beside it. */
export interface OutputParts {
  readonly output: unknown;
  readonly parts: readonly (ImagePart | FilePart)[];
}

/** Takes the images and files out of an output that is one or lists some, and keeps them; any other output stays. */
export async function takenApart(output: unknown, store: AttachmentStore): Promise<OutputParts> {
  const values: readonly unknown[] = Array.isArray(output) ? output : [output];
  if (!values.some(isSource)) return { output, parts: [] };
  const parts: (ImagePart | FilePart)[] = [];
  const told: unknown[] = [];
  for (const value of values) told.push(isSource(value) ? await kept(value, parts, store) : value);
  return { output: Array.isArray(output) ? told : told[0], parts };
}

function isSource(value: unknown): value is AttachmentSource {
  if (isData(value)) return true;
  return typeof value === "object" && value !== null && "data" in value && isData(value.data);
}

function isData(value: unknown): value is Blob | Uint8Array {
  return value instanceof Blob || value instanceof Uint8Array;
}

/** Gives the line that stands for an image or a file, or the text that its bytes are. */
async function kept(
  source: AttachmentSource,
  parts: (ImagePart | FilePart)[],
  store: AttachmentStore,
): Promise<string> {
  try {
    const { part, bytes } = await attached(source);
    if (isText(part.media_type)) return new TextDecoder().decode(bytes);
    const line = `${part.type}: ${part.name ? `${part.name}, ` : ""}${part.media_type}, ${part.bytes} bytes]`;
    if (parts.length === MAX_PARTS) return `[left out, since ${MAX_PARTS} are shown: ${line}`;
    await store.put(part.digest, bytes);
    parts.push(part);
    return `[${line}`;
  } catch (error) {
    if (!(error instanceof PurestepError) || !error.code.startsWith("attachment_t")) throw error;
    return "[left out: bytes that are no image, PDF or text, or are too many]";
  }
}
