/** The models that WebLLM lists, with what a person needs to choose one. */
import { PurestepError } from "../errors.js";

/** One model of WebLLM's list. */
export interface WebLlmModelInfo {
  /** The id for `webLlmModel`. */
  readonly id: string;
  /** Graphics memory that it needs, in MB; undefined where WebLLM does not say. */
  readonly vramMB: number | undefined;
  /** Whether the graphics card has to compute with 16-bit floats. */
  readonly needsF16: boolean;
  /** Whether it is meant for phones and small machines too. */
  readonly lowResource: boolean;
  /** What has to be fetched once, in MB, guessed from its parameters and bits a weight; undefined when unknown. */
  readonly downloadMB: number | undefined;
  /** The longest prompt and answer together, in tokens; undefined where WebLLM does not say. */
  readonly windowTokens: number | undefined;
}

interface Record {
  readonly model_id: string;
  readonly vram_required_MB?: number;
  readonly low_resource_required?: boolean;
  readonly required_features?: readonly string[];
  readonly model_type?: number;
  readonly overrides?: { readonly context_window_size?: number };
}

const LLM = 0;

/** Gives the language models that WebLLM can load, smallest first; `webLlm` gives the library, default is its package. */
export async function webLlmModels(
  webLlm: () => Promise<unknown> = () => import("@mlc-ai/web-llm"),
): Promise<WebLlmModelInfo[]> {
  const module = (await webLlm()) as { prebuiltAppConfig?: { model_list: readonly Record[] } };
  const list = module.prebuiltAppConfig?.model_list;
  if (!list)
    throw new PurestepError("unsupported", "expected @mlc-ai/web-llm 0.2 with its prebuiltAppConfig; it has none");
  // A model that chats and sees is listed as another type, and its engine wants other messages.
  const models = list.filter(({ model_type }) => (model_type ?? LLM) === LLM).map(info);
  return models.sort((a, b) => (a.vramMB ?? Infinity) - (b.vramMB ?? Infinity));
}

function info(record: Record): WebLlmModelInfo {
  return {
    id: record.model_id,
    vramMB: record.vram_required_MB,
    // Most f16 builds do not say that they need what they are named for.
    needsF16: /f16/.test(record.model_id) || (record.required_features?.includes("shader-f16") ?? false),
    lowResource: record.low_resource_required ?? false,
    downloadMB: download_mb(record.model_id),
    windowTokens: record.overrides?.context_window_size,
  };
}

/** Guesses from a name such as Qwen2.5-0.5B-Instruct-q4f16_1-MLC. */
function download_mb(id: string): number | undefined {
  const [, count, unit] = /-(\d+(?:[._]\d+)?)([BM])(?![a-z])/i.exec(id) ?? [];
  const [, bits, float] = /-q(\d)f(16|32)/.exec(id) ?? [];
  if (count === undefined || bits === undefined) return undefined;
  const millions = Number(count.replace("_", ".")) * (unit?.toUpperCase() === "B" ? 1000 : 1);
  // Groups of 32 weights share a scale, which adds half a bit a weight; q0 means weights that are left as floats.
  const bitsAWeight = bits === "0" ? Number(float) : Number(bits) + 0.5;
  return Math.round((millions * bitsAWeight) / 8);
}
