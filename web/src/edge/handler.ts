/**
 * The edge service as one function of a request: stateless, the same on every host that has fetch's Request.
 *
 * State and log are in the request and the response. Between requests only the core is kept, which caches compiled
 * definitions by their digest. The service decides nothing: tables map the core's codes to HTTP statuses.
 */
import { type CarryLevel, profileOf } from "../agent/carry.js";
import type { Model } from "../agent/ports.js";
import { Adapters, type AnyTool, sourceOf } from "../agent/sub_agents.js";
import type { AnyCore } from "../core/core.js";
import { type Deadline, deadline } from "../deadline.js";
import { PurestepError } from "../errors.js";
import type { AgentDefinition } from "../generated/wire.js";
import { asSent, errorAnswer, jsonAnswer, statusOfError } from "./answers.js";
import { bodyText } from "./body.js";
import { placeInThread, readAgUiRequest } from "./ag_ui_request.js";
import { chatAnswer } from "./chat.js";
import { AI_SDK } from "./chat_form.js";
import { readChatRequest } from "./chat_request.js";
import { eventResponse, type StreamEvents } from "./event_body.js";
import { healthAnswer } from "./health.js";
import { isPreflight, originHeaders, preflightAnswer } from "./origins.js";
import { runAnswer, type RunParts } from "./run.js";
import { readRunRequest } from "./run_request.js";
import { SEAL_LIFE_MS, type SealKey, sealProblem, Seals, type SpentSeals } from "./seals.js";
import { extractAnswer } from "./skill.js";

/** The log entry of a request; it holds nothing that a client or a model wrote. */
export interface AccessLogEntry {
  /** One of HTTP's own methods, or "other". */
  method: string;
  /** One of the service's paths, or "other". */
  path: string;
  status: number;
  ms: number;
  /** The name of what was thrown, where the service itself failed. */
  fault?: string;
}

export interface EdgeOptions {
  core: AnyCore;
  /** The model; without one, runs are answered with 501 and single steps still work. */
  model?: Model | undefined;
  /** The tools of runs, other agents among them, each with its own model and tools; default none. */
  tools?: readonly AnyTool[];
  /** The definition of runs that name none; default one with just the tools. */
  agent?: AgentDefinition;
  /** How much the core does for the model, for definitions that name no level; default "off". */
  carry?: CarryLevel;
  /** The host's name, shown in answers. */
  host?: string;
  /** Bytes of a request's body; default 4 MiB. */
  maxBodyBytes?: number;
  /** Milliseconds from a request's first byte to its answer; default 120,000. */
  timeLimitMs?: number;
  /** Origins whose pages may call the service; default none. */
  allowedOrigins?: readonly string[];
  /** Keys: the first seals what is handed out, and what comes back may have the seal of any. */
  sealKeys?: readonly SealKey[];
  /** Milliseconds that a seal holds; default a day. */
  sealLifeMs?: number;
  /** True instead of keys: runs have no seal, and a client may edit their state. */
  unsigned?: boolean;
  /** Whom the runs of a request belong to, by the host's own authentication; default "", nobody in particular. */
  user?: (request: Request) => string | Promise<string>;
  /** Keeps a run from being gone on with twice from one point; without it, an approval holds on every copy of a run. */
  spent?: SpentSeals;
  clock?: () => number;
  newRunId?: () => string;
  /** Called for every request that was answered. */
  onServed?: (served: AccessLogEntry) => void;
}

/** A run of a few hundred turns with its log; a request holds its body in memory several times over. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** A few turns of a slow model on a CPU; proxies in front seldom wait longer. */
export const TIME_LIMIT_MS = 120_000;

type Settled = Required<Omit<EdgeOptions, "model" | "spent" | "sealKeys" | "sealLifeMs" | "unsigned">>;
type ServiceOptions = Settled & {
  model: Model | undefined;
  /** What the runs have of these options; undefined without a model. */
  runs: Pick<RunParts, "adapters" | "own"> | undefined;
  spent: SpentSeals | undefined;
  seals: Seals | undefined;
};
type Answer = (request: Request, options: ServiceOptions, limit: Deadline, stream: StreamEvents) => Promise<Response>;

/** A request while it is served. */
interface Served {
  /** Settles once a streamed answer is over, with what was thrown in it. */
  over?: Promise<unknown>;
}

interface Route {
  methods: readonly string[];
  answer: Answer;
}

const RUN: Route = { methods: ["POST"], answer: answerRun };
const ROUTES: ReadonlyMap<string, Route> = new Map([
  ["/", RUN],
  ["/run", RUN],
  ["/ai-sdk", { methods: ["POST"], answer: answerChat }],
  // A client that looks for what still goes on: nothing does without its request.
  ["/ai-sdk/CHAT/stream", { methods: ["GET"], answer: async () => new Response(null, { status: 204 }) }],
  ["/ag-ui", { methods: ["POST"], answer: answerThread }],
  ["/step", { methods: ["POST"], answer: answerStep }],
  ["/skill/extract", { methods: ["POST"], answer: answerExtract }],
  ["/health", { methods: ["GET", "HEAD"], answer: answerHealth }],
]);

// Some hosts let any word of a client pass as a method.
const METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/**
 * Gives the service. It never rejects: every error becomes an answer.
 *
 * Throws `invalid_config` without keys for seals, unless `unsigned` says so.
 */
export function createEdgeHandler(options: EdgeOptions): (request: Request) => Promise<Response> {
  const { sealKeys: _keys, sealLifeMs: _life, unsigned: _unsigned, ...others } = given(options);
  const settled: ServiceOptions = {
    model: undefined,
    spent: undefined,
    tools: [],
    agent: {},
    carry: "off",
    host: "edge",
    maxBodyBytes: MAX_BODY_BYTES,
    timeLimitMs: TIME_LIMIT_MS,
    allowedOrigins: [],
    user: () => "",
    clock: Date.now,
    newRunId: () => crypto.randomUUID(),
    onServed: () => undefined,
    ...others,
    runs: runsOf(others),
    seals: sealsOf(options),
  };
  return (request) => serve(request, settled);
}

function runsOf({ model, tools = [], agent = {}, carry = "off" }: EdgeOptions): ServiceOptions["runs"] {
  if (!model) return undefined;
  const adapters = new Adapters({ model, tools }, profileOf(model, carry));
  return { adapters, own: sourceOf(agent, adapters) };
}

function sealsOf({
  core,
  sealKeys,
  sealLifeMs = SEAL_LIFE_MS,
  unsigned = false,
  clock = Date.now,
}: EdgeOptions): Seals | undefined {
  const problem = sealProblem(sealKeys, unsigned);
  if (problem) throw new PurestepError("invalid_config", `sealKeys: expected ${problem}`, "/sealKeys");
  if (!Number.isSafeInteger(sealLifeMs) || sealLifeMs < 1)
    throw new PurestepError("invalid_config", "sealLifeMs: expected a number of milliseconds", "/sealLifeMs");
  return sealKeys && new Seals(core, sealKeys, sealLifeMs, clock);
}

/** An option given as undefined is an option left out. */
function given(options: EdgeOptions): EdgeOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as EdgeOptions;
}

async function serve(request: Request, options: ServiceOptions): Promise<Response> {
  const started = options.clock();
  const served: Served = {};
  let path = "other";
  let answer: Response;
  let thrown: unknown;
  try {
    const named = pathOf(new URL(request.url)); // throws where a client's header host is no host
    if (ROUTES.has(named)) path = named;
    answer = await routed(request, ROUTES.get(named), options, served);
  } catch (error) {
    answer = errorAnswer(error);
    thrown = error;
  }
  const logged = (thrown: unknown): void => {
    const ms = options.clock() - started;
    const method = METHODS.has(request.method) ? request.method : "other";
    options.onServed({ method, path, status: answer.status, ms, ...faultOf(thrown) });
  };
  if (served.over) void served.over.then(logged);
  else logged(thrown);
  return answer;
}

/** Gives the path as the routes name it. */
function pathOf({ pathname }: URL): string {
  return pathname.replace(/^\/ai-sdk\/[^/]+\/stream$/, "/ai-sdk/CHAT/stream");
}

function faultOf(thrown: unknown): { fault?: string } {
  if (thrown === undefined || thrown instanceof PurestepError) return {};
  return { fault: thrown instanceof Error ? thrown.name : "unknown" };
}

async function routed(
  request: Request,
  route: Route | undefined,
  options: ServiceOptions,
  served: Served,
): Promise<Response> {
  const headers = originHeaders(request, options.allowedOrigins);
  let answer: Response;
  if (!route) answer = errorAnswer(new PurestepError("not_found", `expected one of ${[...ROUTES.keys()].join(", ")}`));
  else if (isPreflight(request)) answer = preflightAnswer(route.methods, headers);
  else if (!route.methods.includes(request.method)) answer = wrongMethod(route.methods, request.method);
  else answer = await answered(request, route, options, served);
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

/** Answers within the time limit; errors become answers here, so that an allowed page can read them. */
async function answered(request: Request, route: Route, options: ServiceOptions, served: Served): Promise<Response> {
  const leaving = new AbortController();
  const limit = deadline([request.signal, leaving.signal], options.timeLimitMs);
  const stream: StreamEvents = (headers, write) => {
    const { response, over } = eventResponse(headers, write, () => leaving.abort());
    served.over = over;
    return response;
  };
  try {
    return await route.answer(request, options, limit, stream);
  } catch (error) {
    if (error instanceof PurestepError) return errorAnswer(error);
    throw error;
  } finally {
    void (served.over ?? Promise.resolve()).then(() => limit.close());
  }
}

function wrongMethod(methods: readonly string[], came: string): Response {
  const message = `expected the method ${methods.join(" or ")} at this path; got ${came.slice(0, 20)}`;
  return errorAnswer(new PurestepError("method_not_allowed", message), { allow: methods.join(", ") });
}

/** Passes the body to the core and returns its output, both unchanged. */
async function answerStep(request: Request, options: ServiceOptions, { signal }: Deadline): Promise<Response> {
  const output = await options.core.run_agent_step(await bodyText(request, options.maxBodyBytes, signal));
  if (!output.startsWith('{"error":')) return jsonAnswer(200, output);
  const { error } = JSON.parse(output) as { error: { code: string } };
  return jsonAnswer(statusOfError(error.code), output);
}

async function answerRun(request: Request, options: ServiceOptions, limit: Deadline): Promise<Response> {
  const asked = readRunRequest(await bodyText(request, options.maxBodyBytes, limit.signal));
  return placed(async () => runAnswer(await partsOf(request, options), asked, limit));
}

async function answerChat(...[request, options, limit, stream]: Parameters<Answer>): Promise<Response> {
  const asked = readChatRequest(await bodyText(request, options.maxBodyBytes, limit.signal));
  const place = (path: string): string => (path.startsWith("/agent") ? path : "/messages");
  return placed(async () => chatAnswer(await partsOf(request, options), asked, AI_SDK, limit, stream), place);
}

async function answerThread(...[request, options, limit, stream]: Parameters<Answer>): Promise<Response> {
  const { asked, form } = readAgUiRequest(await bodyText(request, options.maxBodyBytes, limit.signal));
  return placed(async () => chatAnswer(await partsOf(request, options), asked, form, limit, stream), placeInThread);
}

/** Says where in the body something is that the core refuses before anything runs. */
async function placed(answer: () => Promise<Response>, place?: (path: string) => string): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    throw error instanceof PurestepError ? asSent(error, place) : error;
  }
}

async function partsOf(request: Request, options: ServiceOptions): Promise<RunParts> {
  const { runs } = options;
  if (!runs)
    throw new PurestepError("no_model", "this service has no model; drive the run with /step, or configure one");
  const user = await options.user(request);
  if (typeof user !== "string") throw new TypeError("expected the option user to give a string"); // nothing is run for it
  return { ...options, ...runs, user };
}

async function answerExtract(request: Request, options: ServiceOptions, limit: Deadline): Promise<Response> {
  return extractAnswer(options, bodyText(request, options.maxBodyBytes, limit.signal), limit);
}

async function answerHealth(request: Request, options: ServiceOptions): Promise<Response> {
  const answer = await healthAnswer(options.core, options.host);
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}
