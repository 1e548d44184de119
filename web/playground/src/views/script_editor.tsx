/** The outputs that the scripted model says, one after the other. */
import { script, setOutputs } from "../models/scripted.js";
import { Icon } from "./icons.js";

export function ScriptEditor() {
  const { outputs, next } = script.value;
  const change = (index: number, text: string): void =>
    setOutputs(outputs.map((output, other) => (other === index ? text : output)));
  return (
    <div class="script">
      <ol>
        {outputs.map((output, index) => (
          <li key={index} class={index === next ? "next" : ""}>
            <span class="output-head">
              <label for={`script-${index}`}>Output {index + 1}</label>
              {index === next && <span class="badge">next</span>}
              <button
                type="button"
                class="quiet small icon-only"
                aria-label={`Remove output ${index + 1}`}
                onClick={() => setOutputs(outputs.filter((_, other) => other !== index))}
              >
                <Icon name="close" />
              </button>
            </span>
            <textarea
              id={`script-${index}`}
              class="mono"
              rows={2}
              spellcheck={false}
              value={output}
              onInput={(event) => change(index, event.currentTarget.value)}
            />
          </li>
        ))}
      </ol>
      <button type="button" class="quiet" onClick={() => setOutputs([...outputs, ""])}>
        <Icon name="plus" /> Add an output
      </button>
    </div>
  );
}
