/**
 * A host's configuration: one JSON file, read strictly.
 *
 * A file, since a host may have no permission to read environment variables, and arguments are visible in the process list.
 */
import { CARRY_LEVELS, type CarryLevel } from "../../agent/carry.js";
import { PurestepError } from "../../errors.js";
import type { AgentDefinition } from "../../generated/wire.js";
import { type SealKey, sealProblem } from "../seals.js";

/** The members of a configuration file; all but `model` may be left out. */
export interface HostConfig {
  /** The address to listen at; default 127.0.0.1. */
  hostname: string;
  /** The port to listen at; default 8787. 0 takes a free one. */
  port: number;
  /** A server that speaks OpenAI's chat completions; null for a service of single steps only. */
  model: ModelConfig | null;
  /** The definition of runs that name none. */
  agent: AgentDefinition;
  /** Hosts that fetch_url may read from, as `name` or `name:port`; without any there is no such tool. */
  allowed_hosts: string[];
  /** Origins whose pages may call the service. */
  allowed_origins: string[];
  /** Keys for the seals of runs; the first seals. */
  seal_keys?: SealKey[];
  /** Hours that a seal holds; default 24. */
  seal_hours?: number;
  /** True instead of keys: runs have no seal. */
  unsigned?: boolean;
  max_body_bytes?: number;
  time_limit_ms?: number;
}

export interface ModelConfig {
  /** The server's root, as `https://host/v1`. */
  base_url: string;
  /** The model's name as the server knows it. */
  name: string;
  api_key?: string;
  /** How much the core does for the model, for definitions that name no level; default "off". */
  carry?: CarryLevel;
}

const DEFAULTS: HostConfig = {
  hostname: "127.0.0.1",
  port: 8787,
  model: null,
  agent: {},
  allowed_hosts: [],
  allowed_origins: [],
};

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

const MOST_SEAL_HOURS = 10 * 365 * 24; // longer is not meant

type Checks<Shape> = {
  readonly [Name in keyof Shape]-?: readonly [check: (value: unknown) => boolean, expected: string];
};

const CHECKS: Checks<HostConfig> = {
  hostname: [isText, "an address"],
  port: [(value) => value === 0 || (isCount(value) && (value as number) < 65536), "a port"],
  model: [(value) => value === null || isObject(value), "an object with base_url and name"],
  agent: [isObject, "an agent definition"],
  allowed_hosts: [isTexts, "a list of host names"],
  allowed_origins: [isOrigins, "a list of origins as browsers send them, such as https://app.example.com"],
  seal_keys: [Array.isArray, "a list of keys"],
  seal_hours: [(value) => isCount(value) && (value as number) <= MOST_SEAL_HOURS, `1 to ${MOST_SEAL_HOURS} hours`],
  unsigned: [(value) => typeof value === "boolean", "true or false"],
  max_body_bytes: [isCount, "a number of bytes"],
  time_limit_ms: [isCount, "a number of milliseconds"],
};

const MODEL_CHECKS: Checks<ModelConfig> = {
  base_url: [isAddress, "an address that starts with http:// or https://"],
  name: [isText, "the model's name"],
  api_key: [isText, "a key"],
  carry: [(value) => CARRY_LEVELS.includes(value as CarryLevel), `one of ${CARRY_LEVELS.join(", ")}`],
};

/** Reads a configuration. Throws `invalid_config` with the path of what is wrong, never with the value. */
export function readConfig(text: string): HostConfig {
  const config = { ...DEFAULTS, ...checked<HostConfig>(parsed(text), CHECKS, "") };
  if (config.model !== null) checkModel(config.model);
  const problem = sealProblem(config.seal_keys, config.unsigned ?? false);
  if (problem) throw wrong("/seal_keys", problem);
  return config;
}

function checkModel(config: ModelConfig): void {
  const model = checked<ModelConfig>(config, MODEL_CHECKS, "/model");
  for (const name of ["base_url", "name"] as const) {
    if (model[name] === undefined) throw wrong(`/model/${name}`, MODEL_CHECKS[name][1]);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong("", "JSON");
  }
}

function checked<Shape>(value: unknown, checks: Checks<Shape>, path: string): Partial<Shape> {
  if (!isObject(value)) throw wrong(path, "an object");
  for (const [name, member] of Object.entries(value as object)) {
    if (!Object.hasOwn(checks, name)) throw wrong(`${path}/${name}`, `one of ${Object.keys(checks).join(", ")}`);
    const [check, expected] = checks[name as keyof Shape];
    if (!check(member)) throw wrong(`${path}/${name}`, expected);
  }
  return value as Partial<Shape>;
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Tells whether all are origins as a browser sends them: in small letters, punycode, without the scheme's own port. */
function isOrigins(values: unknown): boolean {
  return (
    isTexts(values) && (values as string[]).every((origin) => isAddress(origin) && new URL(origin).origin === origin)
  );
}

function wrong(path: string, expected: string): PurestepError {
  return new PurestepError(
    "invalid_config",
    `the configuration is wrong at ${path || "its root"}: expected ${expected}`,
    path,
  );
}
