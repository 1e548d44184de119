/** What a statement says that stands in the lines of a log themselves, noted while they are read. */
import { MOST_TOLD_ACTS } from "./receipt_errors.mjs";

const HIDDEN = /\[hidden ([a-z_]{1,16}) ([0-9a-f]{16})\]/g;
const HIDDEN_FOR_GOOD = "[hidden]";
/** Hidden texts that are told apart. */
const MOST_HIDDEN = 100_000;

export class RunNotes {
  head = "";
  run_id = "";
  /** The digests of the definitions before the last one. */
  definitions = [];
  acts = [];
  acts_left_out = 0;
  hidden_for_good = 0;
  #policies = new Set();
  #hidden = new Set();

  /** Notes a line, which has its number from 1. */
  take(event, text, number) {
    this.#noteHidden(text);
    if (event.kind === "run_started") this.run_id = event.run_id;
    if (event.kind === "agent_changed") this.definitions.push(event.from_digest ?? null);
    if (event.kind === "run_started" || event.kind === "agent_changed") this.#notePolicies(event.agent);
    if (event.kind === "final_answer" || event.kind === "run_failed")
      this.noteActs(event.acts, event.acts_left_out, number);
  }

  /** Notes the acts of an exchange, of which the line that tells them has a number; none has told those of an open one. */
  noteActs(acts, leftOut, line) {
    const told = Array.isArray(acts) ? acts : [];
    const room = Math.max(0, MOST_TOLD_ACTS - this.acts.length);
    for (const act of told.slice(0, room))
      this.acts.push({
        call_id: act?.call_id,
        tool: act?.tool,
        status: act?.status,
        ...(line !== undefined && { line }),
        ...(act?.path?.length > 0 && { path: act.path }),
      });
    this.acts_left_out += (leftOut ?? 0) + told.slice(room).length;
  }

  /** The policies, in no order. */
  get policies() {
    return [...this.#policies].map((each) => JSON.parse(each));
  }

  /** How many texts were hidden, by their kind. */
  get hidden() {
    const counts = new Map();
    for (const text of this.#hidden) {
      const [kind] = text.split(" ");
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return Object.fromEntries(counts);
  }

  #noteHidden(text) {
    if (!text.includes("[hidden")) return;
    this.hidden_for_good += text.split(HIDDEN_FOR_GOOD).length - 1;
    if (this.#hidden.size >= MOST_HIDDEN) return;
    for (const [, kind, digest] of text.matchAll(HIDDEN)) this.#hidden.add(`${kind} ${digest}`);
  }

  /** Notes the policies of a definition and of the agents below it. */
  #notePolicies(definition) {
    if (definition === null || typeof definition !== "object") return; // the bare form
    for (const each of definition.policies ?? [])
      this.#policies.add(JSON.stringify({ use: each?.use, version: each?.version }));
    for (const below of Object.values(definition.agents ?? {})) this.#notePolicies(below?.agent);
  }
}
