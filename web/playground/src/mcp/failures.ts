/** What went wrong with an MCP server, in a sentence for who entered its address, or for the model. */
import { sanitize } from "../../../src/sanitize.js";
import { firstCharacters } from "../../../src/characters.js";

/** The browser was given no answer: it says no more than that. */
export class NoAnswer extends Error {}

const MAX_SHOWN_CHARS = 300;

/** Gives the status of an answer that the client did not take. */
export function statusOf(error: unknown): number | undefined {
  const { status, data, name } = (error ?? {}) as { status?: unknown; data?: { status?: unknown }; name?: string };
  const found = status ?? data?.status ?? (name === "UnauthorizedError" ? 401 : undefined);
  return typeof found === "number" ? found : undefined;
}

/** Says why a server could not be connected to. */
export function connectWords(error: unknown, address: string, hasKey: boolean): string {
  const { host } = new URL(address);
  if (error instanceof NoAnswer) return noAnswerWords(host);
  const status = statusOf(error);
  if (status === 401)
    return hasKey
      ? `${host} does not take this key. Enter another one.`
      : `${host} wants a key. Enter it below its address.`;
  if (status === 403) return `${host} does not let this page in (status 403).`;
  if (isTimeout(error)) return `${host} did not answer in time.`;
  if (status !== undefined) return `There is no MCP server at this address: ${host} answered with status ${status}.`;
  if (codeOf(error) !== undefined) return `The MCP server at ${host} said: ${saidBy(error)}`;
  return `There is no MCP server at this address: ${host} answered with something else.`;
}

/** A browser does not tell an address that refuses this page from one where nothing is. */
function noAnswerWords(host: string): string {
  return (
    `Nothing that this page may read answers at ${host}. If a server is there, it has to let pages in (CORS): the ` +
    `origin ${location.origin}, the headers Authorization, Content-Type, Mcp-Session-Id and Mcp-Protocol-Version, and ` +
    "Mcp-Session-Id exposed."
  );
}

/** Says what a call came to, and whether it may have run. */
export function callWords(error: unknown, server: string, tool: string): [words: string, isUnknown: boolean] {
  if (error instanceof NoAnswer)
    return [`the MCP server ${server} does not answer any more; ${tool} may have run`, true];
  if (isTimeout(error)) return [`the MCP server ${server} did not answer in time; ${tool} may have run`, true];
  const status = statusOf(error);
  if (status === 401) return [`the MCP server ${server} does not take the key any more`, false];
  if (status === 400 || status === 404)
    return [`the MCP server ${server} does not know this session any more; its user has to connect again`, false];
  if (status !== undefined)
    return [`the MCP server ${server} answered with status ${status}; ${tool} may have run`, true];
  return [`the MCP server ${server} said: ${saidBy(error)}`, codeOf(error) === undefined];
}

function saidBy(error: unknown): string {
  return firstCharacters(sanitize(error instanceof Error ? error.message : String(error)), MAX_SHOWN_CHARS);
}

/** A reply of the server itself has the number of its error; what else fails has none. */
function codeOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "number" ? code : undefined;
}

const isTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "REQUEST_TIMEOUT";
