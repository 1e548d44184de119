/**
 * A model on the graphics card, by WebLLM.
 *
 * WebLLM is loaded only with a model. Its types are declared here, not imported: the same
 * adapter runs an engine that the page made itself.
 */
import { PurestepError } from "../errors.js";
import type { ModelRequest } from "../agent/ports.js";
import type { Engine, LoadableModel } from "./in_page.js";
import { InPageModel, refused, storageOrNetwork, thrown } from "./in_page.js";
import { type OnProgress, ProgressReporter } from "./progress.js";
import { unknownFormat, webLlmRequest } from "./webllm_request.js";
import { webGpuSupport } from "./webgpu.js";
import { firstCharacters } from "../characters.js";

export { webGpuSupport, type WebGpuSupport } from "./webgpu.js";
export { webLlmModels, type WebLlmModelInfo } from "./webllm_models.js";
export { webLlmRequest } from "./webllm_request.js";

/** The part of WebLLM's engines that is used: MLCEngine, WebWorkerMLCEngine and ServiceWorkerMLCEngine have it. */
export interface WebLlmEngine {
  readonly chat: { readonly completions: { create(request: never): Promise<unknown> } };
  interruptGenerate(): unknown;
  unload(): Promise<void>;
}

/** The part of the module `@mlc-ai/web-llm` that is used. */
export interface WebLlmModule {
  CreateWebWorkerMLCEngine(
    worker: Worker,
    model: string,
    config?: EngineConfig,
    settings?: ChatSettings,
  ): Promise<WebLlmEngine>;
  CreateMLCEngine(model: string, config?: EngineConfig, settings?: ChatSettings): Promise<WebLlmEngine>;
}

interface EngineConfig {
  initProgressCallback?: (report: { progress: number; text: string }) => void;
  appConfig?: never;
}

interface ChatSettings {
  context_window_size?: number;
}

export interface WebLlmOptions {
  /** WebLLM's id of the model, for example one of `webLlmModels()`; recorded in logs. */
  model: string;
  /**
   * The window that the model is loaded with, in tokens, for example that of `webLlmModels()`; with `engine`, the one
   * that it has. Default is WebLLM's own, which is not known before the model is loaded.
   */
  windowTokens?: number;
  /** An engine that the page made, with `model` loaded; it stays the page's to unload. */
  engine?: WebLlmEngine;
  /** Makes the worker for the engine; default is one of this package, null runs the engine in this thread. */
  worker?: (() => Worker) | null;
  /** Gives WebLLM; default is the package `@mlc-ai/web-llm`. */
  webLlm?: () => Promise<WebLlmModule>;
  /** WebLLM's appConfig, for models that it does not list or that are hosted elsewhere. */
  appConfig?: unknown;
  onProgress?: OnProgress;
  /** The longest time of one completion in milliseconds; default 900,000. */
  totalMs?: number;
}

interface LoadedEngine {
  readonly engine: WebLlmEngine;
  readonly worker: Worker | undefined;
}

const SHOWN = "The model in this browser";

// After these the engine is not what it was.
const LOST = new Set([
  "DeviceLostError",
  "EngineNotLoadedError",
  "ModelNotLoadedError",
  "WorkerEngineModelNotLoadedError",
]);

/** Gives a model that WebLLM runs; nothing is fetched before it is loaded or asked. */
export function webLlmModel(options: WebLlmOptions): LoadableModel {
  return new InPageModel(options.model, new WebLlm(options), options.windowTokens);
}

class WebLlm implements Engine<LoadedEngine> {
  readonly shown = SHOWN;
  readonly library = "webllm";
  readonly totalMs: number;

  constructor(readonly options: WebLlmOptions) {
    this.totalMs = options.totalMs ?? 900_000;
  }

  async load(signal: AbortSignal): Promise<LoadedEngine> {
    if (this.options.engine) return { engine: this.options.engine, worker: undefined };
    const progress = new ProgressReporter(this.options.onProgress);
    let worker: Worker | undefined;
    try {
      const support = await webGpuSupport();
      if (!support.supported) throw new PurestepError("unsupported", support.problem);
      const webLlm = await (this.options.webLlm ?? defaultModule)();
      worker = this.options.worker === null ? undefined : (this.options.worker ?? defaultWorker)();
      const engine = await untilEnded(this.#create(webLlm, worker, progress), worker, signal);
      progress.done("The model is ready.");
      return { engine, worker };
    } catch (error) {
      worker?.terminate();
      throw loadError(error, this.options.model);
    }
  }

  async unload({ engine, worker }: LoadedEngine): Promise<void> {
    engine.interruptGenerate();
    if (worker) worker.terminate();
    else if (!this.options.engine) await engine.unload();
  }

  unsupportedReason(request: ModelRequest) {
    const { tools, messages } = request;
    const format = unknownFormat(request);
    if (format !== undefined) {
      const known = "json_object, json_schema, structural_tag or a grammar";
      return refused(`${SHOWN} cannot be held to a response_format of type ${format}. Use ${known}.`);
    }
    if (tools) {
      const text = `${SHOWN} takes no tools beside the messages. Use a dialect that writes calls as text, such as envelope.`;
      return refused(text);
    }
    const role = messages.at(-1)?.role;
    if (role === "user" || role === "tool") return undefined;
    const found = role === undefined ? "there is none" : `it is one of the role ${role}`;
    return refused(`${SHOWN} needs a last message of the user or a tool; ${found}.`);
  }

  parameters(request: ModelRequest): Record<string, unknown> {
    return webLlmRequest({ ...request, messages: [] }, this.options.model);
  }

  async *generate({ engine }: LoadedEngine, request: ModelRequest, signal: AbortSignal): AsyncGenerator<unknown> {
    const body = webLlmRequest(request, this.options.model);
    const chunks = (await engine.chat.completions.create(body as never)) as AsyncIterable<unknown>;
    const interrupt = (): void => void engine.interruptGenerate();
    signal.addEventListener("abort", interrupt, { once: true });
    try {
      for await (const chunk of chunks) {
        // The engine forgets an interruption that comes before its first token, so it is interrupted again.
        if (signal.aborted) interrupt();
        yield chunk;
      }
    } finally {
      signal.removeEventListener("abort", interrupt);
    }
  }

  isLost(error: unknown): boolean {
    const { name, text } = thrown(error);
    return LOST.has(name) || /device (?:was |is )?lost/i.test(text);
  }

  #create(webLlm: WebLlmModule, worker: Worker | undefined, progress: ProgressReporter): Promise<WebLlmEngine> {
    const { model, appConfig, windowTokens } = this.options;
    const config: EngineConfig = {
      initProgressCallback: (report) => progress.report(report.progress, report.text),
      ...(appConfig === undefined ? {} : { appConfig: appConfig as never }),
    };
    const settings = windowTokens === undefined ? undefined : { context_window_size: windowTokens };
    return worker
      ? webLlm.CreateWebWorkerMLCEngine(worker, model, config, settings)
      : webLlm.CreateMLCEngine(model, config, settings);
  }
}

async function defaultModule(): Promise<WebLlmModule> {
  return (await import("@mlc-ai/web-llm")) as unknown as WebLlmModule;
}

function defaultWorker(): Worker {
  return new Worker(new URL("./webllm_thread.js", import.meta.url), { type: "module" });
}

/** Waits for an engine; WebLLM itself waits for ever when its worker does not start. */
function untilEnded(
  engine: Promise<WebLlmEngine>,
  worker: Worker | undefined,
  signal: AbortSignal,
): Promise<WebLlmEngine> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => reject(new PurestepError("model_load", message));
    worker?.addEventListener("error", (event) => {
      fail(
        `WebLLM's worker did not start (${event.message || "its file was not found"}). Check that the page serves it.`,
      );
    });
    signal.addEventListener("abort", () => reject(new PurestepError("stopped", "The loading was stopped.")), {
      once: true,
    });
    engine.then(resolve, reject);
  });
}

/** Gives what a load failed of, for people. */
function loadError(error: unknown, model: string): PurestepError {
  const { name, text } = thrown(error);
  switch (name) {
    case "WebGPUNotAvailableError":
    case "WebGPUNotFoundError":
      return new PurestepError(
        "unsupported",
        "This browser has no WebGPU. Choose a model that runs on the CPU, or another browser.",
      );
    case "ShaderF16SupportError":
    case "FeatureSupportError":
      return new PurestepError("unsupported", `The graphics card cannot compute ${model}. Choose its q4f32 build.`);
    case "ModelNotFoundError":
      return new PurestepError("no_model", `WebLLM has no model ${model}. webLlmModels() lists those it has.`);
    case "DeviceLostError":
      return new PurestepError(
        "model_load",
        `${model} is too large for the graphics card's memory. Choose a smaller model.`,
      );
  }
  const shared = storageOrNetwork(error, model);
  return (
    shared ?? new PurestepError("model_load", `WebLLM cannot load ${model}: ${firstCharacters(text || name, 300)}`)
  );
}
