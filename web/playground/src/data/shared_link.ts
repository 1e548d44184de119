/** A link to this page that holds a whole log, as `linked_log.ts` reads it: no server is sent it. */

/** Characters of an address that chats, mails and browsers still take. */
const MOST_CHARS = 16_000;

/** Gives the link; throws words for the reader where the log is too long for one. */
export async function linkTo(name: string, log: string): Promise<string> {
  const stream = new Blob([log]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const packed = btoa(letters)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
  const link = `${location.origin}${location.pathname}#log=${packed}&name=${encodeURIComponent(name)}`;
  if (link.length > MOST_CHARS)
    throw new Error("This log is too long for a link. Download it, and send the file; it opens here too.");
  return link;
}
