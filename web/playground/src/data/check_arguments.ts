/** Asks the core whether edited arguments fit their tool, before they are sent. */
import { definitionAt } from "../../../src/agent/agent_tree.js";
import type { AskedCall } from "../../../src/agent/ports.js";
import type { Checked } from "../../../src/generated/wire.js";
import { accepted } from "../../../src/errors.js";
import { writeExactly } from "../../../src/exact_numbers.js";
import { coreReady } from "../core/load_core.js";
import { wordsOf } from "./notices.js";
import { session } from "./run.js";
import { parsedDefinition } from "./steps.js";

/** Gives what is wrong with the arguments, in the core's words; empty when they fit. text: the run's definition. */
export async function problemsOf(
  { tool, path }: Pick<AskedCall, "tool" | "path">,
  params: string,
  text = session.value?.definition,
): Promise<string> {
  const definition = parsedDefinition(text == null ? null : definitionAt(text, path));
  const schema = definition.tools?.find((spec) => spec.name === tool)?.parameters ?? { type: "object" };
  try {
    const core = await coreReady();
    const checked = JSON.parse(
      accepted(await core.check_value(`{"schema":${writeExactly(schema)},"value":${params}}`)),
    ) as Checked;
    return checked.errors.map((error) => error.message).join("; "); // a message begins with its path
  } catch (error) {
    return wordsOf(error);
  }
}
