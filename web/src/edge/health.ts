/** The health check: which core runs, and how it was loaded. */
import type { AnyCore } from "../core/core.js";
import { jsonAnswer } from "./answers.js";

/** Gives the core's version and schema version, and the form it was loaded from, with the reason if not the first. */
export async function healthAnswer(core: AnyCore, host: string): Promise<Response> {
  const { version, schema_version } = JSON.parse(await core.core_info()) as { version: string; schema_version: number };
  const { tier, fallback } = core.report;
  // A fallback's own message may name places of this machine; its code does not.
  const health = { status: "ok", version, schema_version, tier, fallback: fallback?.code ?? null, host };
  return jsonAnswer(200, JSON.stringify(health));
}
