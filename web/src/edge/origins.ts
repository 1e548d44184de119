/**
 * CORS: pages of other origins may call the service only if the configuration names them.
 *
 * A browser sends `origin` with every cross-origin request of a page, so a page that is not allowed is refused before
 * its request is read, not only kept from reading the answer.
 */
import { PurestepError } from "../errors.js";

const PREFLIGHT_S = "600"; // how long a browser may remember the answer; browsers cap it at minutes anyway

/** Gives the headers that an answer to this request carries. Throws `forbidden_origin`. */
export function originHeaders(request: Request, allowed: readonly string[]): Record<string, string> {
  const vary: Record<string, string> = allowed.length > 0 ? { vary: "origin" } : {};
  const origin = request.headers.get("origin");
  if (origin === null) return vary;
  if (allowed.includes(origin)) return { ...vary, "access-control-allow-origin": origin };
  throw new PurestepError(
    "forbidden_origin",
    "pages of this origin may not call the service; its configuration has to name the origin",
  );
}

/** Tells whether a request is a CORS preflight. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method")
  );
}

/** Answers a preflight of an allowed origin. */
export function preflightAnswer(methods: readonly string[], headers: Record<string, string>): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": PREFLIGHT_S,
    },
  });
}
