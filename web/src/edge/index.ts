/** purestep at the edge: a stateless service as one function of a request. */
export { STATUS_OF_ERROR, STATUS_OF_FAILURE } from "./answers.js";
export { createEdgeHandler, MAX_BODY_BYTES, TIME_LIMIT_MS } from "./handler.js";
export type { EdgeOptions, AccessLogEntry } from "./handler.js";
export type { RunRequest } from "./run_request.js";
export { SEAL_LIFE_MS } from "./seals.js";
export type { SealKey, SpentSeals } from "./seals.js";
