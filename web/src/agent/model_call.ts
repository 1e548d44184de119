/** One request to a model: until its reply is over, its rest cannot matter any more, or the run is stopped. */
import { pause } from "../deadline.js";
import type { CallModel, Cancel, Message, ModelError, ModelOutput } from "../generated/wire.js";
import { sentParameters } from "../models/chat_body.js";
import { type AttachmentStore, sentRequest } from "./attachments.js";
import { modelRequest } from "./model_request.js";
import { OutputGate, type ReplyOptions } from "./output_gate.js";
import type { Ports } from "./ports.js";

/** What a request needs besides its decision. */
export interface ModelCallParts extends Omit<ReplyOptions, "model" | "request" | "clock"> {
  readonly ports: Ports;
  readonly transcript: readonly Message[];
  readonly attachments: AttachmentStore;
}

/**
 * Waits as long as the decision says and asks; gives the observation, or undefined if the run was stopped before.
 *
 * One that is stopped while the reply comes is cancelled with what is known of the reply.
 */
export async function callModel(
  decision: CallModel,
  { ports: { model, sleep = pause, clock = Date.now }, transcript, attachments, ...reply }: ModelCallParts,
  signal: AbortSignal,
): Promise<ModelOutput | ModelError | Cancel | undefined> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  const stopped = new Promise<undefined>((resolve) =>
    ending.signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) return undefined;
    if (decision.wait_ms) await Promise.race([sleep(decision.wait_ms, signal), stopped]);
    if (signal.aborted) return undefined;
    const request = modelRequest(decision, transcript);
    const parameters = model.parameters?.(request) ?? sentParameters(request, model.name);
    const sent = await sentRequest(request, attachments);
    if (signal.aborted) return undefined;
    const gate = new OutputGate({ ...reply, model: model.name, request: parameters, clock });
    const end = await Promise.race([model.complete(sent, gate, ending.signal), gate.settled, stopped]);
    if (signal.aborted) return await gate.cancel(String(signal.reason)).catch(() => undefined);
    if (!end) stop();
    return await gate.close(end);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
