/**
 * A chat as requests of a run, which its client carries: in the messages of the AI SDK's `useChat`, or in AG-UI's state.
 *
 * Each step's lines of the log go to the client at once, with a seal: so a client that stops, or loses the connection, has
 * all that happened until then.
 */
import type { Checkpoint } from "../agent/agent.js";
import { LogProjection } from "../agent/log_projection.js";
import type { Deadline } from "../deadline.js";
import { PurestepError } from "../errors.js";
import { writeExactly } from "../exact_numbers.js";
import { asSent, FAULT } from "./answers.js";
import type { CarriedRun } from "./carried_run.js";
import type { ChatForm } from "./chat_form.js";
import type { SendEvent, StreamEvents } from "./event_body.js";
import { RequestRun, type RunParts, type RunReader } from "./run.js";
import type { RunRequest } from "./run_request.js";

/** Runs as `runAnswer` does, and streams. Throws PurestepError for what is refused before anything runs. */
export async function chatAnswer(
  parts: RunParts,
  asked: RunRequest,
  form: ChatForm,
  limit: Deadline,
  stream: StreamEvents,
): Promise<Response> {
  const chat = new ChatRun(parts, asked, form, limit);
  await chat.run.prepare();
  return stream(form.headers, (send) => chat.write(send));
}

class ChatRun implements RunReader {
  readonly run: RequestRun;
  readonly #projection: LogProjection;
  #isRestored = false;
  /** The lines that the client does not have yet, and the number of the first of them. */
  #lines: string;
  #number: number;
  /** What was sent before there was anything to send it by. */
  #waiting: unknown[] = [];
  #send: SendEvent | undefined;
  /** The last event's way; each waits for the one before. */
  #last: Promise<void> = Promise.resolve();

  constructor(
    parts: RunParts,
    asked: RunRequest,
    readonly form: ChatForm,
    limit: Deadline,
  ) {
    this.#projection = new LogProjection(parts.core, form.projection);
    this.run = new RequestRun(parts, asked, limit, this);
    this.#lines = asked.log ?? "";
    this.#number = 1;
  }

  async onRestored(log: string): Promise<void> {
    const known = this.#lines;
    this.#lines = log.slice(known.length);
    this.#number = countOf(known) + 1;
    this.#isRestored = true;
    this.#waiting.push(...this.#openPart(await this.#projection.open(log)));
  }

  onText(text: string): void {
    this.#then(async () => this.#sent(await this.#projection.text(text)));
  }

  onReasoning(reasoning: string): void {
    this.#then(async () => this.#sent(await this.#projection.reasoning(reasoning)));
  }

  onRetract(): void {
    this.#then(async () => this.#sent(await this.#projection.retract()));
  }

  onLines(lines: string, at: Checkpoint): void {
    if (!this.#isRestored) return; // of an exchange whose stream is over
    this.#then(async () => {
      this.#lines += lines;
      const events = await this.#projection.lines(lines);
      const metadata = await this.#carried(at);
      // Not before the begin, which gives the message its id; not after an error, which ends a client's reading.
      const begin = events.findIndex((event) => typeOf(event) === this.form.begin) + 1;
      this.#sent([...events.slice(0, begin), metadata, ...events.slice(begin)]);
    });
  }

  /** Runs until the end, an approval or the request's end, and sends what happens; throws what is the service's own fault. */
  async write(send: SendEvent): Promise<void> {
    this.#then(async () => {
      this.#send = send;
      this.#sent(this.#waiting);
    });
    try {
      await this.run.untilStopped();
      const { error } = await this.run.end();
      await this.#close();
      if (error instanceof PurestepError) this.#sent([this.form.error(asSent(error))]); // a run that failed says so itself
    } catch (thrown) {
      await this.#last.catch(() => undefined);
      this.#sent([
        this.form.error(thrown instanceof PurestepError ? asSent(thrown) : new PurestepError("internal_error", FAULT)),
      ]);
      if (!(thrown instanceof PurestepError)) throw thrown;
    } finally {
      if (this.form.ending !== undefined) send(this.form.ending);
    }
  }

  async #close(): Promise<void> {
    this.#then(async () => this.#sent(await this.#projection.close()));
    await this.#last;
  }

  #then(work: () => Promise<void>): void {
    this.#last = this.#last.then(work);
    this.#last.catch(() => undefined); // the end reports it
  }

  #sent(events: readonly unknown[]): void {
    if (!this.#send) this.#waiting.push(...events);
    else for (const event of events) this.#send(writeExactly(this.form.shown(event)));
  }

  /** Gives the events of a part of the run that has no end, where a stream that goes on with it has to begin as each does. */
  #openPart(before: readonly unknown[]): readonly unknown[] {
    const { begin, ends } = this.form;
    const last = before.findLastIndex((event) => [begin, ...ends].includes(typeOf(event)));
    return ends.length > 0 && last >= 0 && typeOf(before[last]) === begin ? before.slice(last) : [];
  }

  /** Gives the part of the run that the client does not have yet. */
  async #carried(at: Checkpoint): Promise<unknown> {
    const seal = await this.run.sealOf(at);
    const purestep: CarriedRun = { log: { [this.#number]: this.#lines }, ...(seal !== undefined && { seal }) };
    this.#number += countOf(this.#lines);
    this.#lines = "";
    return this.form.carry(purestep);
  }
}

/** Gives how many lines a log has. */
function countOf(log: string): number {
  return log.split("\n").length - 1;
}

function typeOf(event: unknown): string {
  return (event as { type: string }).type;
}
