/**
 * The headers that the page is served with. A static host that serves dist-playground has to send the same ones.
 *
 * Each opening in the policy is there for one reason; everything else is shut.
 */
import { approvePage } from "../approve_page/build.mjs";
import { verifyPage } from "../verify_page/build.mjs";

// The pages of the folder whose script and style stand in them.
const pages = await Promise.all([verifyPage({ playground: true }), approvePage()]);
const hashes = { script: pages.map((page) => page.hashes.script), style: pages.map((page) => page.hashes.style) };

const POLICY: Record<string, string[]> = {
  "default-src": ["'none'"],
  // WebAssembly may be compiled, text may not: no 'unsafe-eval'. Blob scripts belong to wllama's worker alone.
  "script-src": ["'self'", "'wasm-unsafe-eval'", ...hashes.script],
  // wllama makes its worker from text it carries, so it cannot do without blob:.
  "worker-src": ["'self'", "blob:"],
  "style-src": ["'self'", ...hashes.style],
  "font-src": ["'self'"],
  // Blobs are the images that the user attaches.
  "img-src": ["'self'", "blob:"],
  // The user's endpoint and the places models come from are not known beforehand; plain http only on this machine
  // (a policy cannot name it by its IPv6 address).
  "connect-src": ["'self'", "blob:", "https:", "http://localhost:*", "http://127.0.0.1:*"],
  "manifest-src": ["'self'"],
  "object-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  "frame-ancestors": ["'none'"],
  "require-trusted-types-for": ["'script'"],
  "trusted-types": ["default"],
};

export const HEADERS: Record<string, string> = {
  "Content-Security-Policy": Object.entries(POLICY)
    .map(([directive, values]) => [directive, ...values].join(" "))
    .join("; "),
  // Both together give the page shared memory, and with it threads for models that run in it.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
};
