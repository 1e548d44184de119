/** Asks the core whether edited arguments fit their tool, before they are sent. */
import type { Checked } from "../../../src/generated/wire.js";
import { accepted } from "../../../src/errors.js";
import { core_ready } from "../core/load_core.js";
import { words_of } from "./notices.js";
import { session } from "./run.js";
import { parsed_definition } from "./steps.js";

/** Gives what is wrong with the arguments, in the core's words; empty when they fit. */
export async function problems_of(tool: string, params: string): Promise<string> {
  const definition = parsed_definition(session.value?.definition ?? null);
  const schema = definition.tools?.find((spec) => spec.name === tool)?.parameters ?? { type: "object" };
  try {
    const core = await core_ready();
    const checked = JSON.parse(
      accepted(await core.check_value(`{"schema":${JSON.stringify(schema)},"value":${params}}`)),
    ) as Checked;
    return checked.errors.map((error) => [error.path, error.message].filter(Boolean).join(": ")).join("; ");
  } catch (error) {
    return words_of(error);
  }
}
