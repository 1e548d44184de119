/** A log that stands in the page's own address, as links of an evaluation's report have it: no server is sent it. */

/** Bytes of an unpacked log that are taken: a small address may unpack into far more than a page can show. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface LinkedLog {
  readonly name: string;
  readonly text: string;
}

/** Takes the log out of the address, where a reload would find it again; undefined where there is none. */
export async function takeLinkedLog(): Promise<LinkedLog | undefined> {
  const given = new URLSearchParams(location.hash.slice(1));
  const packed = given.get("log");
  if (packed === null) return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return { name: given.get("name") || "log.jsonl", text: await unpacked(packed) };
}

/** Gives the text of gzip in base64url; throws words for the reader. */
async function unpacked(packed: string): Promise<string> {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new TextDecoder("utf-8", { fatal: true }).decode(await atMost(MOST_BYTES, stream.getReader()));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error("The log in the address of this page cannot be read; open its file instead.");
  }
}

async function atMost(most: number, reader: ReadableStreamDefaultReader<BlobPart & Uint8Array>): Promise<ArrayBuffer> {
  const parts: BlobPart[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`The log in the address of this page has more than ${most} bytes; open its file instead.`);
    }
    parts.push(read.value);
  }
  return new Blob(parts).arrayBuffer();
}
