/** Code that the hosts share: turns a configuration into the service's options, and writes log lines. */
import type { Tool } from "../../agent/ports.js";
import type { AnyCore } from "../../core/core.js";
import { openAiModel } from "../../models/openai.js";
import { fetchUrl } from "../../tools/fetch_url.js";
import type { EdgeOptions, AccessLogEntry } from "../handler.js";
import { TIME_LIMIT_MS } from "../handler.js";
import type { HostConfig } from "./config.js";

/** The fetch functions of the model and of the tools, for hosts that separate them; default the global fetch. */
export interface OutboundFetch {
  model?: typeof fetch;
  tools?: typeof fetch;
}

const HOUR_MS = 60 * 60 * 1000;

/** Gives the service's options for a configuration. */
export function wired(config: HostConfig, core: AnyCore, host: string, ways: OutboundFetch = {}): EdgeOptions {
  return {
    core,
    host,
    model: modelOf(config, ways.model),
    tools: toolsOf(config, core, ways.tools),
    agent: config.agent,
    ...(config.model?.carry !== undefined && { carry: config.model.carry }),
    allowedOrigins: config.allowed_origins,
    ...(config.seal_keys && { sealKeys: config.seal_keys }),
    ...(config.seal_hours !== undefined && { sealLifeMs: config.seal_hours * HOUR_MS }),
    ...(config.unsigned !== undefined && { unsigned: config.unsigned }),
    ...(config.max_body_bytes !== undefined && { maxBodyBytes: config.max_body_bytes }),
    ...(config.time_limit_ms !== undefined && { timeLimitMs: config.time_limit_ms }),
  };
}

function modelOf({ model, time_limit_ms = TIME_LIMIT_MS }: HostConfig, send?: typeof fetch): EdgeOptions["model"] {
  if (model === null) return undefined;
  const { base_url, name, api_key } = model;
  const wired = { ...(api_key !== undefined && { apiKey: api_key }), ...(send && { fetch: send }) };
  // Longer than the request's own limit, whose answer holds the run's state.
  const limits = { silenceMs: 2 * time_limit_ms, totalMs: 2 * time_limit_ms };
  // Clients receive the log, which must not hold the server's address.
  return openAiModel({ baseUrl: base_url, model: name, hideAddress: true, ...limits, ...wired });
}

function toolsOf({ allowed_hosts }: HostConfig, core: AnyCore, send?: typeof fetch): Tool[] {
  return allowed_hosts.length === 0
    ? []
    : [fetchUrl(core, { allowHosts: allowed_hosts, ...(send && { fetch: send }) })];
}

/** Gives the line that says where the service listens; a program that starts it can wait for this line. */
export function listening(url: string): string {
  return `listening on ${url}`;
}

/** Gives one line of the access log. */
export function servedLine(served: AccessLogEntry): string {
  return JSON.stringify(served);
}
