/** A request's sampling in the form that Transformers.js takes. */

/** What of the library sampling needs. */
export interface Sampled {
  LogitsProcessorList: new () => { push(processor: LogitsProcessor): void };
  /** Has been there since version 4. */
  random?: { seed(seed: number): void };
}

interface Logits {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}
type LogitsProcessor = (ids: unknown, logits: Logits) => Logits;

interface Settings extends Record<string, unknown> {
  max_new_tokens: number;
}

// Settings by OpenAI's and llama.cpp's names, and the library's; those it does not have are left out.
const NAMES: Readonly<Record<string, string>> = { top_k: "top_k", repeat_penalty: "repetition_penalty" };

/** Gives the settings of a generation that has room for so many tokens; what the request leaves out stays the model's own. */
export function generationSettings(library: Sampled, sampling: Record<string, unknown>, room: number): Settings {
  const { temperature, top_p, max_tokens, seed, ...others } = sampling;
  const named = Object.entries(others).filter(([name, value]) => name in NAMES && typeof value === "number");
  const settings: Settings = {
    ...Object.fromEntries(named.map(([name, value]) => [NAMES[name], value])),
    max_new_tokens: typeof max_tokens === "number" ? Math.max(1, Math.min(max_tokens, room)) : room,
  };
  if (typeof seed === "number") library.random?.seed(seed);
  if (temperature === 0) return { ...settings, do_sample: false };
  if (typeof temperature === "number") Object.assign(settings, { do_sample: true, temperature });
  if (typeof top_p !== "number" || top_p >= 1) return settings;
  const processors = new library.LogitsProcessorList();
  processors.push((_ids, logits) => withoutTail(logits, top_p));
  return { ...settings, logits_processor: processors };
}

/** Rules out the least probable tokens, as long as the others have `mass` of the probability together. */
function withoutTail(logits: Logits, mass: number): Logits {
  const width = logits.dims.at(-1)!;
  for (let begin = 0; begin < logits.data.length; begin += width) {
    const row = logits.data.subarray(begin, begin + width);
    const order = Array.from(row.keys()).sort((one, other) => row[other]! - row[one]!);
    const highest = row[order[0]!]!;
    const weights = order.map((at) => Math.exp(row[at]! - highest));
    const enough = mass * weights.reduce((sum, weight) => sum + weight, 0);
    let kept = 0;
    for (const [rank, at] of order.entries()) {
      if (kept >= enough) row[at] = -Infinity;
      kept += weights[rank]!;
    }
  }
  return logits;
}
