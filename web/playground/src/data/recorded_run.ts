/** A recorded run as a few frames, told from its log and from what the core explains of it: nothing has to be loaded. */
import type { Act, Event, Explanation } from "../../../src/generated/wire.js";
import type { Preset } from "../presets.js";
import explained from "../recorded/explained.json";
import crash from "../recorded/crash.jsonl?raw";
import injection from "../recorded/injection.jsonl?raw";
import loop from "../recorded/loop.jsonl?raw";
import sources from "../recorded/sources.jsonl?raw";
import twice from "../recorded/twice.jsonl?raw";
import { valueText } from "../../../src/value_text.js";
import { callText } from "./call_text.js";
import { contentText } from "./content_text.js";
import { askingWords } from "./event_words.js";
import type { OriginSentence } from "./origin_sentences.js";
import { outsideSentences } from "./origin_sentences.js";
import { readLines } from "./steps.js";

export type Frame =
  | { readonly kind: "asked"; readonly text: string }
  | { readonly kind: "read"; readonly call: string; readonly text: string; readonly isOutside: boolean }
  | { readonly kind: "wants"; readonly call: string }
  | { readonly kind: "stopped"; readonly because: readonly OriginSentence[] }
  | { readonly kind: "refused" }
  | { readonly kind: "crashed" }
  | { readonly kind: "corrected"; readonly said: string; readonly told: string }
  | { readonly kind: "answered"; readonly text: string; readonly acts: readonly Act[] };

export interface RecordedRun {
  readonly frames: readonly Frame[];
  /** The values that came from outside, wherever they stand. */
  readonly marked: readonly string[];
}

const LOGS: Readonly<Record<string, string>> = { crash, injection, loop, sources, twice };

/** Gives the log of a story as the core has written it. */
export const recordedLog = ({ id }: Preset): string => LOGS[id] ?? "";

export function recordedRun(preset: Preset): RecordedRun {
  const told = (explained as unknown as Readonly<Record<string, Explanation>>)[preset.id];
  const teller = new Teller(told, preset.story?.sources);
  for (const { event } of readLines(recordedLog(preset))) teller.see(event);
  return { frames: teller.frames, marked: teller.marked };
}

interface Call {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  isAsked: boolean;
}

/** Tells the frames, event by event. */
class Teller {
  readonly frames: Frame[] = [];
  readonly marked: string[] = [];
  readonly #told: Explanation | undefined;
  readonly #sources: Readonly<Record<string, string>>;
  readonly #calls = new Map<string, Call>();
  #said = "";
  /** A result has come since the model's last output, so a correction is of that. */
  #isReturned = false;

  constructor(told: Explanation | undefined, sources: Readonly<Record<string, string>> = {}) {
    this.#told = told;
    this.#sources = sources;
  }

  see(event: Event): void {
    switch (event.kind) {
      case "user_message":
        this.frames.push({ kind: "asked", text: contentText(event.content) });
        break;
      case "model_response":
        this.#said = event.content ?? "";
        this.#isReturned = false;
        break;
      case "tool_call":
        this.#calls.set(event.call_id, { tool: event.tool_name, params: event.arguments, isAsked: false });
        break;
      case "approval_request":
        this.#asks(event.call_id, event.reason);
        break;
      case "approval":
        if (!event.approved) this.frames.push({ kind: "refused" });
        break;
      case "resumed":
        this.#crashed();
        break;
      case "tool_result":
        this.#returned(event);
        break;
      case "correction":
        this.#corrected(event);
        break;
      case "final_answer":
        this.frames.push({ kind: "answered", text: event.content, acts: event.acts ?? [] });
        break;
    }
  }

  #asks(call_id: string, reason: string): void {
    const call = this.#calls.get(call_id);
    if (!call) return;
    if (!call.isAsked) this.frames.push({ kind: "wants", call: callText(call.tool, call.params) });
    call.isAsked = true;
    const origins = this.#explained(call_id)?.origins ?? [];
    const because = outsideSentences(call.params, origins, this.#sources).slice(0, 1);
    this.marked.push(...because.filter(({ isFound }) => isFound).map(({ what }) => what));
    this.frames.push({
      kind: "stopped",
      because: because.length > 0 ? because : [{ what: "", says: askingWords({ reason }), isFound: false }],
    });
  }

  /** A call that was handed out when the host stopped was wanted before it. */
  #crashed(): void {
    for (const call of this.#calls.values()) {
      if (call.isAsked) continue;
      call.isAsked = true;
      this.frames.push({ kind: "wants", call: callText(call.tool, call.params) });
    }
    this.frames.push({ kind: "crashed" });
  }

  #returned(event: Extract<Event, { kind: "tool_result" }>): void {
    const call_id = event.call_id ?? "";
    const call = this.#calls.get(call_id);
    if (!call) return;
    call.isAsked = true;
    this.#isReturned = true;
    this.frames.push({
      kind: "read",
      call: callText(call.tool, call.params),
      text: typeof event.output === "string" ? event.output : valueText(event.output),
      isOutside: (this.#explained(call_id)?.labels ?? []).length > 0,
    });
  }

  #corrected({ seq, content }: Extract<Event, { kind: "correction" }>): void {
    const answer = this.#told?.corrections?.find((correction) => correction.seq === seq)?.said;
    const said = answer ?? (this.#isReturned ? "" : this.#wanted());
    this.frames.push({ kind: "corrected", said, told: firstSentence(content) });
  }

  /** What the model has said, where it is a call. */
  #wanted(): string {
    try {
      const { tool_name, arguments: params } = JSON.parse(this.#said) as {
        tool_name: string;
        arguments: Record<string, unknown>;
      };
      return callText(tool_name, params);
    } catch {
      return this.#said;
    }
  }

  #explained(call_id: string): Explanation["calls"][number] | undefined {
    return this.#told?.calls.find((call) => call.call_id === call_id);
  }
}

/** Corrections go on with what the model is to do, in a sentence of its own. */
function firstSentence(text: string): string {
  const end = /\. |\n/.exec(text);
  return end ? text.slice(0, end.index + 1).trimEnd() : text;
}
