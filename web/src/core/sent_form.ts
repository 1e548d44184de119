/**
 * In which form a host sends the files of the bundle: themselves, where it compresses what it sends, else their
 * compressed copies, which are unpacked here.
 *
 * Many hosts compress nothing, and most no file whose name they do not know. The first lines of the answer to the request
 * for the largest file show it; then the request is ended, and the compressed copies are asked for.
 */

/** What the name of a compressed copy ends with. */
export const PACKED = ".gz";

export type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface SentForm {
  isPacked: boolean;
  /** The answer that showed it, if it may be read. */
  answer?: Response;
}

/** Whether this host can unpack and can tell what it was sent. */
export function canUnpack(url: URL): boolean {
  return url.protocol.startsWith("http") && typeof DecompressionStream === "function";
}

/**
 * Gives the form for a file at `plain` with this many bytes, whose compressed copy is at `packed`.
 *
 * What a service worker keeps is taken in either form. An answer that fails is asked for again by who reads the file.
 */
export async function sentForm(plain: URL, packed: URL, bytes: number): Promise<SentForm> {
  for (const [url, isPacked] of [
    [packed, true],
    [plain, false],
  ] as const) {
    const answer = await keptAnswer(url);
    if (answer) return { isPacked, answer };
  }
  const request = new AbortController();
  const answer = await fetch(plain, { credentials: "same-origin", signal: request.signal }).catch(() => undefined);
  if (!answer?.ok) return { isPacked: false };
  if (!isBare(answer.headers, bytes)) return { isPacked: false, answer };
  request.abort();
  return { isPacked: true };
}

/** Gives what a service worker keeps, without a request: one that found nothing would stand in the console as an error. */
async function keptAnswer(url: URL): Promise<Response | undefined> {
  if (globalThis.location?.origin !== url.origin) return undefined;
  return globalThis.caches?.match(url).catch(() => undefined);
}

/** Another origin may hide its encoding, but not the length of what it sends. */
function isBare(headers: Headers, bytes: number): boolean {
  return !headers.has("content-encoding") && headers.get("content-length") === String(bytes);
}

/** Gives the content of a compressed copy as it comes; `took` is given each piece that was sent of it. */
export async function contentOf(
  body: ByteStream,
  took: (piece: Uint8Array) => void,
): Promise<{ content: ByteStream; isPacked: boolean }> {
  const reader = body.getReader();
  let next = await reader.read();
  const isPacked = next.value?.[0] === GZIP;
  const pieces: ByteStream = new ReadableStream({
    async pull(controller) {
      if (next.done) return controller.close();
      took(next.value);
      controller.enqueue(next.value);
      next = await reader.read();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { content: isPacked ? pieces.pipeThrough(new DecompressionStream("gzip")) : pieces, isPacked };
}

/** The first byte of a compressed file; no file of the bundle begins with it. */
const GZIP = 0x1f;
