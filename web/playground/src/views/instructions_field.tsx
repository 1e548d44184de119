/** The instructions of the agent as a plain field, which writes them into its definition. */
import { computed } from "@preact/signals";
import { withInstructions } from "../data/edit_definition.js";
import { editedDefinition } from "../data/preferences.js";

/** Undefined where the text is no definition, which is said below it. */
const instructions = computed<string | undefined>(() => {
  try {
    const { instructions = "" } = JSON.parse(editedDefinition.value) as { instructions?: unknown };
    return typeof instructions === "string" ? instructions : undefined;
  } catch {
    return undefined;
  }
});

export function InstructionsField() {
  return (
    <div class="fields">
      <label for="instructions">
        Instructions <span class="hint">the system prompt of your agent</span>
      </label>
      <textarea
        id="instructions"
        rows={3}
        value={instructions.value ?? ""}
        disabled={instructions.value === undefined}
        onInput={({ currentTarget }) =>
          (editedDefinition.value = withInstructions(editedDefinition.value, currentTarget.value))
        }
      />
    </div>
  );
}
