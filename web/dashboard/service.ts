/** What the page asks of the service that it came from; numbers keep all their digits. */
import { parseVerbatim, writeExactly } from "../src/exact_numbers.js";
import type { AskedCall } from "../src/agent/ports.js";

export interface RunEntry {
  readonly run: string;
  readonly created_ms?: number;
  readonly query?: string;
  readonly status?: "running" | "waiting" | "interrupted" | "done" | "failed";
  readonly problem?: string;
}

export interface Run {
  readonly run: string;
  readonly status: string;
  readonly answer?: string;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly approvals: readonly AskedCall[];
}

/** What names a call that waits. */
export type AnsweredCall = Pick<AskedCall, "call_id" | "key">;

/** The service refused a request, or nobody answers. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class Service {
  constructor(private readonly token: string) {}

  async runs(before: string | null): Promise<{ runs: RunEntry[]; next: string | null }> {
    return (await this.json(`runs?limit=50${before ? `&before=${encodeURIComponent(before)}` : ""}`)) as {
      runs: RunEntry[];
      next: string | null;
    };
  }

  async run(id: string): Promise<Run> {
    const found = (await this.json(`runs/${encodeURIComponent(id)}`)) as Run & { approvals?: AskedCall[] };
    const approvals = (found.approvals ?? []).map((call) => ({ ...call, params_json: writeExactly(call.params) }));
    return { ...found, approvals };
  }

  async log(id: string): Promise<string> {
    return this.text(`runs/${encodeURIComponent(id)}/log`);
  }

  async answer(id: string, answer: Record<string, unknown>): Promise<void> {
    await this.text(`runs/${encodeURIComponent(id)}`, writeExactly({ approvals: [answer] }));
  }

  private async json(path: string): Promise<unknown> {
    return parseVerbatim(await this.text(path));
  }

  private async text(path: string, body?: string): Promise<string> {
    const headers: Record<string, string> = this.token === "" ? {} : { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const init: RequestInit = { method: body === undefined ? "GET" : "POST", headers, cache: "no-store" };
    if (body !== undefined) init.body = body;
    let answer: Response;
    try {
      answer = await fetch(path, init);
    } catch {
      throw new Refused("unreachable", "The service does not answer.");
    }
    const text = await answer.text();
    if (!answer.ok) throw refused(text, answer.status);
    return text;
  }
}

function refused(text: string, status: number): Refused {
  try {
    const { error, message } = JSON.parse(text) as { error: string; message: string };
    return new Refused(error, message);
  } catch {
    return new Refused("unreadable", `The service answered with the status ${status}.`);
  }
}
