/**
 * The built-in model of some browsers, by their Prompt API (`LanguageModel`).
 *
 * Each completion uses a new session made from the transcript, since a session's memory would be state outside of the
 * log. The API takes no sampling settings from pages and reports no tokens.
 *
 * Source: the Prompt API draft of the Web Machine Learning community group.
 */
import type { ChatMessage, ModelRequest } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import { isObject } from "./chat_body.js";
import type { Engine, LoadableModel } from "./in_page.js";
import { InPageModel, refused, shortly, storageOrNetwork, thrown } from "./in_page.js";
import { type OnProgress, ProgressReporter } from "./progress.js";

export type PromptApiAvailability = "unavailable" | "downloadable" | "downloading" | "available";

/** The global `LanguageModel`, as far as it is used. */
export interface LanguageModelApi {
  availability(options?: SessionOptions): Promise<PromptApiAvailability>;
  create(options?: SessionOptions): Promise<PromptSession>;
}

interface SessionOptions {
  initialPrompts?: readonly Prompt[];
  expectedInputs?: readonly Language[];
  expectedOutputs?: readonly Language[];
  signal?: AbortSignal;
  monitor?(target: EventTarget): void;
}

interface Language {
  readonly type: "text";
  readonly languages: readonly string[];
}

interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

interface PromptSession {
  promptStreaming(input: string, options: Record<string, unknown>): ReadableStream<string>;
  destroy(): void;
}

export interface PromptApiOptions {
  /** The name recorded in logs; default "browser". */
  name?: string;
  /** The language of prompts and answers, as browsers ask for it; default "en". */
  language?: string;
  /** Gives the API; default is the global `LanguageModel`. */
  api?: () => LanguageModelApi | undefined;
  onProgress?: OnProgress;
  /** The longest time of one completion in milliseconds; default 900,000. */
  totalMs?: number;
}

const SHOWN = "The browser's own model";

// These say that the request was wrong, and leave the browser's model as it is.
const KEPT = new Set(["QuotaExceededError", "NotSupportedError", "NotReadableError", "SyntaxError", "TypeError"]);
const NONE =
  "This browser has no model of its own (no LanguageModel). Choose another model, or a browser that has one.";
const NOT_HERE =
  "This machine cannot run the browser's own model: it wants more disk, memory or another graphics card. Choose another model.";

/** Gives the browser's model; nothing is fetched before it is loaded or asked. */
export function promptApiModel(options: PromptApiOptions = {}): LoadableModel {
  return new InPageModel(options.name ?? "browser", new BrowserModel(options));
}

/** Tells whether this browser has a model, and if not, why; never throws. */
export async function promptApiSupport(
  options: PromptApiOptions = {},
): Promise<{ availability: PromptApiAvailability; problem: string }> {
  const api = (options.api ?? globalApi)();
  if (!api) return { availability: "unavailable", problem: NONE };
  const availability = await api.availability(languages(options)).catch(() => "unavailable" as const);
  return { availability, problem: availability === "unavailable" ? NOT_HERE : "" };
}

class BrowserModel implements Engine<LanguageModelApi> {
  readonly shown = SHOWN;
  readonly library = "prompt_api";
  readonly totalMs: number;

  constructor(readonly options: PromptApiOptions) {
    this.totalMs = options.totalMs ?? 900_000;
  }

  async load(signal: AbortSignal): Promise<LanguageModelApi> {
    const { problem } = await promptApiSupport(this.options);
    if (problem) throw new PurestepError("unsupported", problem);
    const api = (this.options.api ?? globalApi)()!;
    const progress = new ProgressReporter(this.options.onProgress);
    const monitor = (target: EventTarget): void => {
      target.addEventListener("downloadprogress", (event) => {
        const { loaded, total } = event as ProgressEvent;
        progress.report(total > 1 ? loaded / total : loaded, "Fetching the browser's model.");
      });
    };
    try {
      // A session has to be made for the browser to fetch the model.
      (await api.create({ ...languages(this.options), monitor, signal })).destroy();
    } catch (error) {
      throw loadError(error, signal);
    }
    progress.done("The model is ready.");
    return api;
  }

  async unload(): Promise<void> {
    // The browser keeps and frees its model itself.
  }

  unsupportedReason({ tools, grammar, response_format, messages }: ModelRequest) {
    const what = tools
      ? "takes no tools beside the messages"
      : grammar
        ? "takes no grammar"
        : isObject(response_format) && response_format["type"] === "structural_tag"
          ? "takes no structural tags"
          : undefined;
    if (what) return refused(`${SHOWN} ${what}. Use a dialect that writes calls as text, such as envelope.`);
    const role = messages.at(-1)?.role;
    if (role !== undefined && role !== "assistant") return undefined;
    return refused(`${SHOWN} needs a last message of the user or a tool; there is none.`);
  }

  parameters({ response_format }: ModelRequest, model: string): Record<string, unknown> {
    return { model, response_format };
  }

  async *generate(api: LanguageModelApi, request: ModelRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    const prompts = request.messages.map(prompt);
    const { content } = prompts.pop()!;
    const session = await api.create({ ...languages(this.options), initialPrompts: prompts, signal });
    try {
      const reader = session.promptStreaming(content, { ...constraint(request), signal }).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        yield { choices: [{ delta: { content: piece.value } }] };
      }
      yield { choices: [{ delta: {}, finish_reason: "stop" }] };
    } finally {
      session.destroy();
    }
  }

  isLost(error: unknown): boolean {
    return !KEPT.has(thrown(error).name);
  }

  sizes(error: unknown) {
    const { requested: used, quota: window } = Object(error) as { requested?: unknown; quota?: unknown };
    return { ...(isCount(used) && { used }), ...(isCount(window) && { window }) };
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function globalApi(): LanguageModelApi | undefined {
  return (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;
}

function languages({ language = "en" }: PromptApiOptions): SessionOptions {
  const text: Language = { type: "text", languages: [language] };
  return { expectedInputs: [text], expectedOutputs: [text] };
}

/** The API has three roles, and a system message only at the start; other messages become the user's. */
function prompt({ role, content }: ChatMessage, index: number): Prompt {
  const known = role === "assistant" || (role === "system" && index === 0) ? role : "user";
  return { role: known, content: typeof content === "string" ? content : "" };
}

/** Only the schema: the prompt describes it already, and the context window is small. */
function constraint({ response_format: format }: ModelRequest): Record<string, unknown> {
  if (!isObject(format)) return {};
  const { type, json_schema: named } = format;
  const schema = isObject(named) ? named["schema"] : type === "json_object" ? { type: "object" } : undefined;
  return schema === undefined ? {} : { responseConstraint: schema, omitResponseConstraintInput: true };
}

function loadError(error: unknown, signal: AbortSignal): PurestepError {
  if (signal.aborted) return new PurestepError("stopped", "The loading of the model was stopped.");
  const { name, text } = thrown(error);
  if (name === "NotAllowedError") {
    const advice = "The browser wants a click or key press before it fetches its model: load it from one.";
    return new PurestepError("needs_gesture", `${advice} If that does not help, the page is not allowed to use it.`);
  }
  const shared = storageOrNetwork(error, SHOWN);
  return (
    shared ??
    new PurestepError("model_load", `${SHOWN} cannot be used (${name})${shortly(text)}. Choose another model.`)
  );
}
