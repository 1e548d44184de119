/**
 * The one Trusted Types policy: scripts for workers may come from this page's own origin, or be blobs that it made.
 *
 * There is no createHTML: nothing in this page, and no library in it, can turn text into markup.
 */
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): unknown;
}

function ownScript(url: string): string {
  const { origin, protocol } = new URL(url, location.href);
  // A blob: address carries the origin of the page that made it.
  if (origin === location.origin && ["http:", "https:", "blob:"].includes(protocol)) return url;
  throw new TypeError(`expected a script of this page; got ${url}`);
}

export function restrictScriptUrls(): void {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  factory?.createPolicy("default", { createScriptURL: ownScript });
}
