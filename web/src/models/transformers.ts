/**
 * A text-generation model in ONNX form in the page, by Transformers.js.
 *
 * Where its files come from, and what computes, is set on the library's own `env` and in `settings`. The library has no
 * constraints, so requests with one are refused, and its sampler knows no `top_p`, which is applied here.
 */
import type { ModelRequest } from "../agent/ports.js";
import { PurestepError } from "../errors.js";
import type { ModelError } from "../generated/wire.js";
import { type Engine, InPageModel, type LoadableModel, refused, shortly, storageOrNetwork, thrown } from "./in_page.js";
import { type OnProgress, ProgressReporter } from "./progress.js";
import { TextPieces } from "./text_pieces.js";
import { generationSettings, type Sampled } from "./transformers_sampling.js";

type Ids = readonly (number | bigint)[];

/** The part of a tokenizer that is used. */
export interface TransformersTokenizer {
  readonly chat_template?: unknown;
  apply_chat_template(messages: unknown, options: Record<string, unknown>): TokenizedPrompt;
  decode(ids: Ids, options?: Record<string, unknown>): string;
}

interface TokenizedPrompt {
  readonly input_ids: { readonly dims: readonly number[] };
}

/** The part of a model that is used. */
export interface TransformersEngine {
  readonly config: { readonly max_position_embeddings?: unknown };
  readonly generation_config?: { readonly eos_token_id?: number | readonly number[] | null } | null;
  generate(settings: Record<string, unknown>): Promise<unknown>;
  dispose(): Promise<unknown>;
}

/** The part of the module `@huggingface/transformers` that is used. */
export interface TransformersModule extends Sampled {
  AutoTokenizer: { from_pretrained(model: string, settings: Record<string, unknown>): Promise<TransformersTokenizer> };
  AutoModelForCausalLM: {
    from_pretrained(model: string, settings: Record<string, unknown>): Promise<TransformersEngine>;
  };
  TextStreamer: new (tokenizer: TransformersTokenizer, options: Record<string, unknown>) => object;
  InterruptableStoppingCriteria: new () => { interrupt(): void };
}

export interface TransformersOptions {
  /** The model's name, as the library finds it: on its hub, or in a folder of the site or the disk by its `env`. */
  model: string;
  /** What the model is loaded with, by the library's names: `dtype`, `device`, `revision` and so on. */
  settings?: Record<string, unknown>;
  /** The name recorded in logs; default is the model's last part. */
  name?: string;
  /** The window in tokens; default is what the model's configuration says once it is loaded. */
  windowTokens?: number;
  /** Gives the library; default is the package `@huggingface/transformers`. */
  transformers?: () => Promise<TransformersModule>;
  onProgress?: OnProgress;
  /** The longest time of one completion in milliseconds; default 900,000. */
  totalMs?: number;
}

const SHOWN = "The model in this page";

/** Gives a model that Transformers.js runs; nothing is fetched before it is loaded or asked. */
export function transformersModel(options: TransformersOptions): LoadableModel {
  const name = options.name ?? options.model.split("/").at(-1)!;
  return new InPageModel(name, new Transformers(options), options.windowTokens, false, []);
}

interface Loaded {
  readonly library: TransformersModule;
  readonly tokenizer: TransformersTokenizer;
  readonly model: TransformersEngine;
}

class Transformers implements Engine<Loaded> {
  readonly shown = SHOWN;
  readonly library = "transformers";
  readonly totalMs: number;

  constructor(readonly options: TransformersOptions) {
    this.totalMs = options.totalMs ?? 900_000;
  }

  async load(signal: AbortSignal): Promise<Loaded> {
    const progress = new ProgressReporter(this.options.onProgress);
    const { model: name, settings = {} } = this.options;
    const progress_callback = (told: FileProgress): void => reportFile(progress, told);
    try {
      const library = await (this.options.transformers ?? defaultModule)();
      const tokenizer = await library.AutoTokenizer.from_pretrained(name, settings);
      if (!tokenizer.chat_template) throw new PurestepError("model_load", NO_TEMPLATE);
      const model = await library.AutoModelForCausalLM.from_pretrained(name, { ...settings, progress_callback });
      if (signal.aborted) {
        await model.dispose();
        throw new PurestepError("stopped", "The loading of the model was stopped.");
      }
      progress.done("The model is ready.");
      return { library, tokenizer, model };
    } catch (error) {
      throw storageOrNetwork(error, "The model") ?? loadError(error);
    }
  }

  async unload({ model }: Loaded): Promise<void> {
    await model.dispose();
  }

  unsupportedReason({ response_format, grammar, tools, choices }: ModelRequest): ModelError | undefined {
    const type = (response_format as { type?: unknown } | undefined)?.type ?? "text";
    if (type === "text" && !grammar && !(tools as unknown[] | undefined)?.length && !choices?.length) return undefined;
    return refused(
      `${SHOWN} takes no constraints, tools or choices: name it in the definition's models with "supports": [], and choose a dialect of text.`,
    );
  }

  async *generate(loaded: Loaded, request: ModelRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    const { library, tokenizer, model } = loaded;
    const messages = request.messages.map(({ role, content }) => ({ role, content: content ?? "" }));
    const prompt = tokenizer.apply_chat_template(messages, { add_generation_prompt: true, return_dict: true });
    const used = prompt.input_ids.dims.at(-1)!;
    const room = this.#room(model, used);
    const { max_new_tokens, ...settings } = generationSettings(library, request.sampling ?? {}, room);
    const pieces = new TextPieces(request.stop ?? []);
    const ends = [model.generation_config?.eos_token_id ?? []].flat();
    const stopping = new library.InterruptableStoppingCriteria();
    let last: number | undefined;
    let made = 0;
    const streamer = new library.TextStreamer(tokenizer, {
      skip_prompt: true,
      skip_special_tokens: false, // some models write the begin of a call or of a thought as one
      token_callback_function: ([id]: bigint[]) => {
        made += 1;
        last = Number(id);
      },
      callback_function: (text: string) => {
        const end = last !== undefined && ends.includes(last) ? tokenizer.decode([last]) : "";
        pieces.add(end && text.endsWith(end) ? text.slice(0, -end.length) : text);
        if (pieces.isStopped) stopping.interrupt();
      },
    });
    const stop = (): void => {
      pieces.end();
      stopping.interrupt();
    };
    signal.addEventListener("abort", stop, { once: true });
    const work = model.generate({ ...prompt, ...settings, max_new_tokens, streamer, stopping_criteria: stopping });
    work.then(
      () => pieces.end(),
      (error: unknown) => pieces.fail(error),
    );
    try {
      for await (const content of pieces) yield { choices: [{ index: 0, delta: { content } }] };
      const isCut = !pieces.isStopped && made >= max_new_tokens && !(last !== undefined && ends.includes(last));
      yield { choices: [{ index: 0, delta: {}, finish_reason: isCut ? "length" : "stop" }] };
      yield { choices: [], usage: { prompt_tokens: used, completion_tokens: made, total_tokens: used + made } };
    } finally {
      signal.removeEventListener("abort", stop);
      stopping.interrupt();
      await work.catch(() => undefined); // one generation at a time
    }
  }

  isLost(error: unknown): boolean {
    const { name, text } = thrown(error);
    return name === "RuntimeError" || /memory|device (?:was |is )?lost/i.test(text);
  }

  /** Gives how many tokens an answer may have; throws where the prompt leaves none. */
  #room(model: TransformersEngine, used: number): number {
    const own = model.config.max_position_embeddings;
    const limits = [this.options.windowTokens, own].filter((limit): limit is number => Number.isSafeInteger(limit));
    const window = Math.min(...limits, Number.MAX_SAFE_INTEGER);
    if (used < window) return window - used;
    throw Object.assign(new Error(`prompt tokens: ${used}; context window size: ${window}`), {
      name: "ContextWindowSizeExceededError",
    });
  }
}

const NO_TEMPLATE = "The model has no chat template, so it takes no messages. Choose one that is made for chats.";

interface FileProgress {
  readonly status?: string;
  readonly file?: string;
  readonly loaded?: number;
  readonly total?: number;
}

function reportFile(progress: ProgressReporter, { status, file = "", loaded, total }: FileProgress): void {
  if (status !== "progress" || !loaded || !total) return;
  progress.report(loaded / total, `Fetching ${file}.`, { loadedBytes: loaded, totalBytes: total });
}

async function defaultModule(): Promise<TransformersModule> {
  return (await import("@huggingface/transformers")) as unknown as TransformersModule;
}

function loadError(error: unknown): PurestepError {
  const advice = "Are the model's files where the library's env says, and are they of a kind that it knows?";
  return new PurestepError("model_load", `The model cannot be loaded${shortly(thrown(error).text)}. ${advice}`);
}
