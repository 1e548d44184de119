/**
 * An agent as a UI message stream of the AI SDK: what `useChat` and its kin read.
 *
 * The core makes the chunks, by its projection `ai-sdk` of the run's log; the stream of one exchange goes on where that
 * of the exchange before ended.
 */
import type { ChatTransport, UIMessage, UIMessageChunk } from "ai";
import type { Agent, AskOptions, StreamOptions } from "../agent/agent.js";
import { LogProjection } from "../agent/log_projection.js";
import type { AnyCore } from "../core/core.js";
import { accepted, PurestepError } from "../errors.js";
import { writeExactly } from "../exact_numbers.js";
import type { Approval } from "../generated/wire.js";
import { answerIn, ofItsRun, textOf } from "./chat_parts.js";

/** What a stream begins with: the messages of a chat as its client has them, or what `Agent.stream` takes. */
export interface UiStreamOptions extends AskOptions {
  /** The chat so far: its last message, or the answers about calls in it, is what the run takes. */
  messages?: readonly UIMessage[];
  /** The user's message, instead of `messages`. */
  query?: string;
  /** Answers about calls, instead of `messages`. */
  approvals?: readonly Approval[];
  /** The log of the run that goes on; for an agent that has begun none. */
  log?: string;
  /** Stops the run. */
  signal?: AbortSignal | undefined;
}

/** Gives the chunks of one exchange; the run begins at once, and stops when the reader cancels. */
export function uiMessageStream(agent: Agent, options: UiStreamOptions): ReadableStream<UIMessageChunk> {
  const { messages, signal, ...rest } = options;
  const { query, ...given } = messages ? { ...rest, ...inputOf(messages, agent) } : rest;
  const run = query === undefined ? agent.stream(given) : agent.stream(query, given);
  const stop = () => void run.return();
  let isOver = false;
  return new ReadableStream<UIMessageChunk>({
    async start(controller) {
      const send = (chunks: readonly UIMessageChunk[]): void => {
        if (!isOver) for (const chunk of chunks) controller.enqueue(chunk);
      };
      signal?.addEventListener("abort", stop, { once: true });
      let remove: (() => void) | undefined;
      try {
        const projection = projectionOf(agent, given.log);
        remove = projection.to(send);
        await projection.ready;
        if (isOver || signal?.aborted) return;
        await run.result;
        await projection.close();
      } catch (error) {
        send([{ type: "error", errorText: errorText(error) }]);
      } finally {
        remove?.();
        signal?.removeEventListener("abort", stop);
        if (!isOver) controller.close();
        isOver = true;
      }
    },
    cancel() {
      isOver = true;
      stop();
    },
  });
}

/** The transport of a chat whose agent runs in the same program, for example in the page: `useChat({ transport })`. */
export class AgentTransport implements ChatTransport<UIMessage> {
  constructor(readonly agent: Agent) {}

  async sendMessages({
    messages,
    abortSignal,
    trigger,
  }: Parameters<ChatTransport<UIMessage>["sendMessages"]>[0]): Promise<ReadableStream<UIMessageChunk>> {
    if (trigger === "regenerate-message")
      throw new PurestepError("invalid_input", "a run only goes on: send the message again, or begin a new run");
    return uiMessageStream(this.agent, { messages, signal: abortSignal });
  }

  /** Gives nothing: the run is in this program, and ends with it. */
  async reconnectToStream(): Promise<null> {
    return null;
  }
}

/** What the run takes of a chat: its last message if it is the user's, or what a person answered in it. */
function inputOf(messages: readonly UIMessage[], agent: Agent): StreamOptions & { query?: string } {
  const last = messages.at(-1);
  if (last?.role === "user") return { query: textOf(last.parts) };
  const { status, approvals } = agent.getSnapshot();
  // An agent that goes on from a log or a checkpoint has not asked yet: then the core says what does not fit.
  const isAsked = ({ call_id, key }: Approval) =>
    status !== "waiting" || approvals.some((call) => call.key === key || (!call.path && call.call_id === call_id));
  const found = (last?.parts ?? []).flatMap(answerIn).filter(isAsked).map(ofItsRun);
  if (found.length > 0) return { approvals: found };
  throw new PurestepError(
    "invalid_input",
    "expected a chat that ends with a message of the user, or answers about calls",
  );
}

function errorText(error: unknown): string {
  return error instanceof PurestepError ? error.message : "the program failed";
}

const PROJECTIONS = new WeakMap<Agent, RunProjection>();

/** Gives the projection of an agent's run, which has been fed since the first stream of it. */
function projectionOf(agent: Agent, log: string | undefined): RunProjection {
  const known = PROJECTIONS.get(agent);
  if (known) return known;
  if (agent.checkpoint !== undefined && log === undefined) {
    const message = "expected the log of the run so far: chunks go on where those of the run's beginning ended";
    throw new PurestepError("invalid_input", message);
  }
  const made = new RunProjection(agent, log ?? "");
  PROJECTIONS.set(agent, made);
  return made;
}

type Send = (chunks: readonly UIMessageChunk[]) => void;

/** The projection of one run, fed with each step and with text that the log does not have yet. */
class RunProjection {
  /** Settles once the log of the run so far is taken. */
  readonly ready: Promise<unknown>;
  readonly #core: AnyCore;
  readonly #projection: LogProjection;
  #send: Send | undefined;
  /** The last input; each waits for the one before, since a core may be in a worker. */
  #last: Promise<unknown>;

  constructor(agent: Agent, log: string) {
    this.#core = agent.core;
    this.#projection = new LogProjection(agent.core, "ai-sdk");
    this.#last = this.ready = this.#open(log);
    this.ready.catch(() => PROJECTIONS.delete(agent)); // the next stream tries again
    agent.watch({
      onText: (text) => this.#feed(() => this.#projection.text(text)),
      onReasoning: (reasoning) => this.#feed(() => this.#projection.reasoning(reasoning)),
      onRetract: () => this.#feed(() => this.#projection.retract()),
      onStep: ({ log: lines }) => void (lines && this.#feed(() => this.#projection.lines(lines))),
    });
  }

  /** Has chunks sent to `send`; gives what ends that. Throws where another stream of the run is open. */
  to(send: Send): () => void {
    if (this.#send) throw new PurestepError("busy", "expected one stream at a time; read this one, or cancel it");
    this.#send = send;
    return () => (this.#send = undefined);
  }

  /** Sends what is missing where a stream ends; rejects for what the core refused since. */
  async close(): Promise<void> {
    this.#feed(() => this.#projection.close());
    await this.#last;
  }

  async #open(log: string): Promise<unknown> {
    if (log === "") return this.#projection.open("");
    // Lines that a crash lost are appended before the run goes on.
    const lost = accepted(await this.#core.replay_log_lines(log)).split("\n")[2]!;
    await this.#projection.open(log + (JSON.parse(lost) as string));
  }

  /** Feeds an input, once those before are taken. */
  #feed(input: () => Promise<unknown[]>): void {
    this.#last = this.#last.then(async () => {
      const chunks = await input();
      this.#send?.(JSON.parse(writeExactly(chunks)) as UIMessageChunk[]);
    });
    this.#last.catch(() => undefined); // close() reports it
  }
}
