/** One skill as a request: its arguments are the body, its output is the answer. Nothing of it is kept. */
import type { Model } from "../agent/ports.js";
import { runSkill } from "../agent/skill.js";
import type { AnyCore } from "../core/core.js";
import { type Deadline, pause } from "../deadline.js";
import { PurestepError } from "../errors.js";
import type { Failed } from "../generated/wire.js";
import { jsonAnswer, statusOfError, statusOfFailure } from "./answers.js";
import { membersOf } from "./json_members.js";
import { overError } from "./request_end.js";

/** What a skill uses; from the host's configuration, never from a request. */
export interface SkillParts {
  core: AnyCore;
  model: Model | undefined;
}

const MISTAKE = 400;
const REST = "nothing of the skill is kept";

/** Gives 200 with the output of `extract`, or 400 with `{"error", "message"}`, `error` being the kind of the fault. */
export async function extractAnswer(parts: SkillParts, body: Promise<string>, limit: Deadline): Promise<Response> {
  try {
    const params = await body;
    membersOf(params); // throws for what is no object, or names a member twice
    const ended = await ending(parts, params, limit);
    return ended.type === "done" ? jsonAnswer(200, ended.answer) : refusal(statusOfFailure(ended.code), ended);
  } catch (error) {
    if (error instanceof PurestepError && statusOfError(error.code) === MISTAKE) return refusal(MISTAKE, error);
    throw error;
  }
}

async function ending({ core, model }: SkillParts, params: string, limit: Deadline) {
  const { signal } = limit;
  const sleep = async (ms: number): Promise<void> => {
    if (ms > limit.leftMs()) throw new PurestepError("time_limit", `the model has to be waited for; ${REST}`);
    await pause(ms, signal);
  };
  const ended = await runSkill(core, model, "extract", params, { signal, sleep });
  if (signal.aborted) throw overError(signal, REST);
  return ended;
}

function refusal(status: number, { code, message }: Failed | PurestepError): Response {
  return jsonAnswer(status, JSON.stringify({ error: code, message }));
}
