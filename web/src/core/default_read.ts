/** The default way to read a file of the bundle: from disk for file addresses in Node, else by fetch. */

/** Reads one file; `cache` tells a browser whether an answer that it kept will do. */
export async function defaultRead(url: URL, cache: RequestCache): Promise<Response | Uint8Array> {
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    // Named by a variable, so that a bundler for browsers does not look for it.
    const files = "node:fs/promises";
    const { readFile } = (await import(
      /* @vite-ignore */ /* webpackIgnore: true */ files
    )) as typeof import("node:fs/promises");
    return readFile(url);
  }
  return fetch(url, { cache, credentials: "same-origin" });
}
