/** A connection to an MCP server by its address: its tools, and their calls. */
import type { Client } from "@modelcontextprotocol/client";
import type { AnyCore } from "../../../src/core/core.js";
import type { Tool } from "../../../src/agent/ports.js";
import { accepted } from "../../../src/errors.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import { toolOfSpec, ToolFailure } from "../../../src/tools/tool.js";
import { callWords, connectWords, NoAnswer } from "./failures.js";
import { type Listed, listedTools } from "./listed_tools.js";
import { outputOf, type Result } from "./results.js";

/** Servers ask services that have limits of this order. */
const CALL_LIMIT_MS = 60_000;
const CONNECT_LIMIT_MS = 20_000;
/** Of lists: a server decides how many pages there are. */
const MAX_PAGES = 16;
/** Of one answer; a stream of several is bounded as one, since a page keeps what came of it. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface McpTools {
  readonly name: string;
  readonly tools: readonly Tool[];
  /** What is left out of its list, and why. */
  readonly warnings: readonly string[];
  close(): void;
}

/** Any answer: what of it is wrong is said where it is read. */
const ANYTHING = {
  "~standard": { version: 1, vendor: "purestep", validate: (value: unknown) => ({ value: value as object }) },
} as const;

/** Connects, and lists the tools; throws words for who entered the address. taken: names of other servers. */
export async function connected(
  core: AnyCore,
  address: string,
  key: string,
  taken: ReadonlySet<string>,
): Promise<McpTools> {
  // Its zod must not try whether it may make functions of text: it may not, and the browser would report it.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const sdk = await import("@modelcontextprotocol/client");
  const client = new sdk.Client(
    { name: "purestep-playground", version: "1" },
    {
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
    },
  );
  const waiting = new Waiting();
  const transport = new sdk.StreamableHTTPClientTransport(new URL(address), {
    requestInit: { ...PRIVATE, ...(key !== "" && { headers: { Authorization: `Bearer ${key}` } }) },
    fetch: boundedFetch(() => waiting.end()),
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 4000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 1,
    },
  });
  try {
    await client.connect(transport as never, { timeout: CONNECT_LIMIT_MS });
    const name = serverName(client.getServerVersion()?.name ?? new URL(address).hostname, taken);
    const { tools, warnings } = await listedTools(core, await entriesOf(client), name);
    const made = tools.map((listed) => toolOf(core, client, waiting, listed, name));
    return { name, tools: made, warnings, close: () => void client.close().catch(() => undefined) };
  } catch (error) {
    void client.close().catch(() => undefined);
    throw new Error(connectWords(error, address, key !== ""));
  }
}

const PRIVATE = { credentials: "omit", referrerPolicy: "no-referrer" } as const;

/** Gives a fetch that bounds what comes, and tells where an answer to a call broke off, for which the client waits on. */
function boundedFetch(onBroken: () => void): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetch(input, { ...init, ...PRIVATE });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw new NoAnswer("no answer"); // the browser says no more of what it does not let be read
    }
    if (!response.body) return response;
    const broken = (): void => void (init?.method === "POST" && !init.signal?.aborted && onBroken());
    const { status, statusText, headers } = response;
    return new Response(bounded(response.body.getReader(), broken), { status, statusText, headers });
  };
}

function bounded(reader: ReadableStreamDefaultReader<Uint8Array>, onBroken: () => void): ReadableStream<Uint8Array> {
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        size += value.length;
        if (size > MAX_BODY_BYTES) throw new RangeError(`its answer has more than ${MAX_BODY_BYTES} bytes`);
        controller.enqueue(value);
      } catch (error) {
        void reader.cancel().catch(() => undefined);
        onBroken();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What waits for an answer that has broken off. */
class Waiting {
  readonly #ends = new Set<(error: Error) => void>();

  end(): void {
    for (const end of this.#ends) end(new NoAnswer("its answer broke off"));
  }

  async race<Value>(answer: Promise<Value>): Promise<Value> {
    let end: (error: Error) => void = () => undefined;
    const broken = new Promise<never>((_, reject) => this.#ends.add((end = reject)));
    try {
      return await Promise.race([answer, broken]);
    } finally {
      this.#ends.delete(end);
    }
  }
}

async function entriesOf(client: Client): Promise<unknown[]> {
  const entries: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = typeof cursor === "string" ? { params: { cursor } } : {};
    const found = (await client.request({ method: "tools/list", ...params } as never, ANYTHING as never, {
      timeout: CONNECT_LIMIT_MS,
    })) as { tools?: unknown; nextCursor?: unknown };
    if (Array.isArray(found.tools)) entries.push(...(found.tools as unknown[]));
    cursor = found.nextCursor;
    if (typeof cursor !== "string" || cursor === "") break;
  }
  return entries;
}

/** Of a length that leaves room for the names of its tools. */
const MAX_SERVER_CHARS = 24;

function serverName(given: string, taken: ReadonlySet<string>): string {
  const name =
    given
      .replaceAll(/[^A-Za-z0-9-]+/g, "_")
      .replaceAll(/^_+|_+$/g, "")
      .slice(0, MAX_SERVER_CHARS) || "server";
  for (let number = 1; ; number++) {
    const found = number === 1 ? name : `${name}${number}`;
    if (!taken.has(found)) return found;
  }
}

function toolOf(core: AnyCore, client: Client, waiting: Waiting, listed: Listed, server: string): Tool {
  return toolOfSpec(
    listed.spec,
    async (_params, call, signal) => {
      const { params_json = JSON.stringify(_params) } = call as { params_json?: string };
      const result = await called(client, waiting, listed.name, JSON.parse(params_json) as object, server, signal);
      await checkOutput(core, listed, result, server);
      return outputOf(result, server);
    },
    CALL_LIMIT_MS + 1000,
  );
}

async function called(
  client: Client,
  waiting: Waiting,
  name: string,
  args: object,
  server: string,
  signal: AbortSignal,
): Promise<Result> {
  try {
    const request = { method: "tools/call", params: { name, arguments: args } };
    const options = { signal, timeout: CALL_LIMIT_MS };
    return await waiting.race(client.request(request as never, ANYTHING as never, options) as Promise<Result>);
  } catch (error) {
    const [words, isUnknown] = callWords(error, server, name);
    throw new ToolFailure(words, isUnknown ? "interrupted" : "io");
  }
}

/** A result that breaks the server's own schema may have had its effect, and says nothing. */
async function checkOutput(core: AnyCore, listed: Listed, result: Result, server: string): Promise<void> {
  if (!listed.output_schema || result.isError === true) return;
  const value = result.structuredContent ?? null;
  let errors: { message: string }[];
  try {
    const found = accepted(await core.check_value(writeExactly({ schema: listed.output_schema, value })));
    errors = (JSON.parse(found) as { errors: typeof errors }).errors;
  } catch {
    return; // a schema that the core does not take is not checked
  }
  if (errors.length === 0) return;
  const why = `its result does not fit its own outputSchema: ${errors[0]!.message}`;
  throw new ToolFailure(`the MCP server ${server} failed: ${why}; ${listed.name} may have run`, "interrupted");
}
