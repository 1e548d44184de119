/**
 * Images and files that come with a request: in data URLs or base64, kept as long as the request.
 *
 * The service keeps nothing, so a client sends the files of earlier messages again, as chats do. Those are taken by their
 * digest, and only if a model is sent them.
 */
import {
  type AttachmentSource,
  type AttachmentStore,
  attached,
  contentOf,
  MemoryAttachments,
} from "../agent/attachments.js";
import { PurestepError } from "../errors.js";

const DATA_URL = /^data:([^,]*),/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const PERCENT = 0x25;

/** Gives the file of a data URL (RFC 2397). Throws PurestepError, also for an address: nothing is fetched. */
export function fileOfUrl(url: unknown, name: unknown): AttachmentSource {
  const header = typeof url === "string" ? DATA_URL.exec(url) : null;
  if (!header)
    throw new PurestepError("unsupported", "expected images and files as data URLs: the service fetches no address");
  const data = (url as string).slice(header[0].length);
  return /;base64$/i.test(header[1]!) ? fileOfBase64(data, name) : named(unescaped(data), name);
}

/** Gives the file of a text in base64. Throws PurestepError. */
export function fileOfBase64(data: unknown, name: unknown): AttachmentSource {
  if (typeof data !== "string" || data.length % 4 !== 0 || !BASE64.test(data))
    throw new PurestepError("invalid_input", "expected the bytes of an image or a file in base64");
  return named(
    Uint8Array.from(atob(data), (char) => char.charCodeAt(0)),
    name,
  );
}

function named(data: Uint8Array, name: unknown): AttachmentSource {
  return typeof name === "string" ? { data, name } : { data };
}

/** Gives the bytes of a text in which some are written as `%XX`. */
function unescaped(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const digits = String.fromCharCode(...bytes.subarray(at + 1, at + 3));
    const isByte = bytes[at] === PERCENT && /^[0-9a-f]{2}$/i.test(digits);
    bytes[length++] = isByte ? Number.parseInt(digits, 16) : bytes[at]!;
    if (isByte) at += 2;
  }
  return bytes.slice(0, length);
}

/** Gives the file of such a part of a UI message. Throws PurestepError. */
export function fileOfPart(part: object): AttachmentSource {
  const { url, filename } = part as { url?: unknown; filename?: unknown };
  return fileOfUrl(url, filename);
}

/** Tells whether a part of a UI message is an image or a file. */
export function isFilePart(part: object): boolean {
  return (part as { type?: unknown }).type === "file";
}

/** The bytes of one request: those of its question, and of earlier ones as soon as one of them is asked for. */
export class SentFiles implements AttachmentStore {
  readonly #kept = new MemoryAttachments();
  #earlier: (() => readonly AttachmentSource[]) | undefined;

  /** earlier: gives the files of earlier messages. */
  constructor(earlier: () => readonly AttachmentSource[]) {
    this.#earlier = earlier;
  }

  /** Checks the files of a question before anything runs. Throws PurestepError. */
  async check(files: readonly AttachmentSource[]): Promise<void> {
    await contentOf("", files, this);
  }

  put(digest: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#kept.put(digest, bytes);
  }

  async get(digest: string): Promise<Uint8Array | undefined> {
    const known = this.#kept.get(digest);
    if (known || !this.#earlier) return known;
    const sources = this.#earlier();
    this.#earlier = undefined;
    for (const source of sources) await this.#keep(source);
    return this.#kept.get(digest);
  }

  async #keep(source: AttachmentSource): Promise<void> {
    const found = await attached(source).catch(() => undefined); // one that was refused when it came is named nowhere
    if (found) this.put(found.part.digest, found.bytes);
  }
}

/** Gives what can be read of the files of earlier messages: one that was refused still stands in its client's chat. */
export function readable<Part>(parts: readonly Part[], read: (part: Part) => AttachmentSource): AttachmentSource[] {
  return parts.flatMap((part) => {
    try {
      return [read(part)];
    } catch {
      return [];
    }
  });
}
