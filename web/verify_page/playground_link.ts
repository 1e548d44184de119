/** The way from a checked log to the playground, where the core makes each of its steps again. */
import type { Chosen } from "./chosen.js";

/** A log past these is opened there by its file: it would make an address longer than browsers take. */
const MOST_BYTES = 1_000_000;
const MOST_CHARS = 200_000;

/** Gives a link that opens a log in the playground beside this page; undefined where there is none, or it is too long. */
export async function playgroundLink({ name, file }: Chosen): Promise<HTMLElement | undefined> {
  const playground = document.querySelector<HTMLAnchorElement>("#playground");
  if (!playground || file.size > MOST_BYTES) return undefined;
  // The form that the playground reads: gzip in base64url, which no server is sent.
  const stream = file.stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  if (letters.length > MOST_CHARS) return undefined;
  const packed = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const link = document.createElement("a");
  link.href = `${playground.href}#${String(new URLSearchParams({ log: packed, name }))}`;
  link.textContent = "Make its decisions again in the playground";
  return link;
}
