/** One tool in a list: what it is called, what it does, and what it may do. */
import type { ToolSpec } from "../../../src/generated/wire.js";
import { UntrustedText } from "./untrusted_text.js";

export function ToolRow({ spec }: { spec: ToolSpec }) {
  return (
    <div class="tool-row">
      <p>
        <code class="tool-name">
          <UntrustedText text={spec.name} />
        </code>{" "}
        {permissions(spec).map((words) => (
          <span class="badge" key={words}>
            {words}
          </span>
        ))}
      </p>
      {spec.description && (
        <p class="hint">
          <UntrustedText text={spec.description} />
        </p>
      )}
    </div>
  );
}

function permissions({ annotations, approval }: ToolSpec): string[] {
  const acts = annotations?.readOnlyHint ? ["only reads"] : annotations?.destructiveHint ? ["may destroy"] : [];
  return [...acts, ...(approval === "ask" ? ["asks you first"] : [])];
}
