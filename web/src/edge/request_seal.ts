/** The seal of one request: checked when it comes, spent before its run moves on, and made for what is handed out. */
import type { Checkpoint } from "../agent/agent.js";
import { PurestepError } from "../errors.js";
import { writeExactly } from "../exact_numbers.js";
import type { SealedRun, Seals, SpentSeals } from "./seals.js";

/** What seals a service's runs, and whom those of this request belong to. */
export interface SealParts {
  /** Undefined where runs are handed out unsigned. */
  seals: Seals | undefined;
  spent: SpentSeals | undefined;
  user: string;
}

export class RequestSeal {
  /** The head of the log where the request came in, which names this point of this run. */
  #head: unknown;
  /** When the seal ends, until the run moves on. */
  #unspentUntil: number | undefined;

  constructor(
    readonly parts: SealParts,
    readonly given: string | undefined,
  ) {}

  /** Throws unless the seal is of this run; where it has none, unless the service is unsigned. */
  async check(run: Checkpoint): Promise<void> {
    const { seals } = this.parts;
    this.#head = headOf(run.state);
    if (seals && this.given !== undefined) {
      this.#unspentUntil = await seals.check(this.given, this.#sealed(run));
    } else if (seals) {
      throw new PurestepError("seal_missing", "expected the seal that came with the state and the log", "/seal");
    } else if (this.given !== undefined) {
      throw new PurestepError("invalid_input", "this service hands runs out unsigned; leave the seal out", "/seal");
    }
  }

  /** Spends the point that the request came with, once; throws `seal_spent` if a run has moved on from there before. */
  async spend(): Promise<void> {
    const { spent } = this.parts;
    const until = this.#unspentUntil;
    this.#unspentUntil = undefined;
    if (!spent || until === undefined || (await spent.spend(await this.#point(), until))) return;
    throw new PurestepError("seal_spent", "the run has moved on from here already; send what came last", "/seal");
  }

  /** Names this point of this user's run: two users may choose the same run id, and then have the same head. */
  async #point(): Promise<string> {
    const named = new TextEncoder().encode(JSON.stringify([this.parts.user, this.#head]));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", named));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** Gives the seal of a checkpoint; where the run has not moved it is the one that came, so that it ends when it would. */
  async of(checkpoint: Checkpoint): Promise<string | undefined> {
    if (this.given !== undefined && headOf(checkpoint.state) === this.#head) return this.given;
    return this.parts.seals?.seal(this.#sealed(checkpoint));
  }

  #sealed({ state, messages, children }: Checkpoint): SealedRun {
    const below = children && { children: writeExactly(children) };
    return { state, messages: writeExactly(messages), ...below, user: this.parts.user };
  }
}

function headOf(state: string): unknown {
  return (JSON.parse(state) as { head?: unknown }).head;
}
