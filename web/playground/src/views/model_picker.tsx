/** Beside the question: which model it goes to, what that takes and how far it is loaded, and the others to choose. */
import { choose, chosen, chosenSource, dropModel, modelStatus, SOURCES, troubles } from "../models/choice.js";
import type { Source } from "../models/source.js";
import { running } from "../data/run.js";
import { FoldOut } from "./fold_out.js";
import { Icon } from "./icons.js";
import { modelsOpen, showView } from "./layout.js";
import { LoadModel } from "./model_card.js";
import { needsWords } from "./model_needs.js";

/** Shows the models to choose from, and brings the keyboard to the one that is chosen. */
export function openPicker(): void {
  modelsOpen.value = true;
  requestAnimationFrame(() => document.querySelector<HTMLElement>("#models input:checked")?.focus());
}

export function ModelPicker() {
  return (
    <div class="picker">
      <FoldOut id="models" title="Which model answers" isOpen={modelsOpen} face={<Standing />}>
        <Models />
      </FoldOut>
      {!modelsOpen.value && !running.value && <Progress />}
    </div>
  );
}

/** The name of the model, and a dot for how it does. */
function Standing() {
  const status = modelStatus.value;
  const trouble = (troubles.value[chosen.value] ?? "") !== "";
  const [tone, words] =
    trouble || status.kind === "failed"
      ? ["failed", trouble ? "not available here" : "was not loaded"]
      : status.kind === "ready"
        ? ["accepted", "ready"]
        : status.kind === "loading"
          ? ["waiting", "loading"]
          : ["plain", "not loaded"];
  return (
    <span class={`standing tone-${tone}`}>
      <span class="dot" />
      <span class="unseen">Model: </span>
      {chosenSource().title}
      <span class="unseen">, {words}</span>
    </span>
  );
}

function Progress() {
  const status = modelStatus.value;
  if (status.kind !== "loading") return null;
  return (
    <>
      <progress max={1} value={status.share} aria-label="Loading the model" />
      <span class="hint">{Math.floor(status.share * 100)} %</span>
      <button type="button" class="quiet small" onClick={dropModel}>
        Cancel
      </button>
    </>
  );
}

function Models() {
  const id = chosen.value;
  const isUsable = (troubles.value[id] ?? "") === "";
  return (
    <>
      <fieldset class="sources">
        <legend class="unseen">Models</legend>
        {SOURCES.map((source) => (
          <Choice key={source.id} source={source} trouble={troubles.value[source.id] ?? ""} />
        ))}
      </fieldset>
      <div class="models-foot">
        {isUsable && id !== "scripted" && <LoadModel />}
        <button type="button" class="quiet small" onClick={settingsOfModel}>
          <Icon name="settings" /> Settings of {chosenSource().title}
        </button>
      </div>
    </>
  );
}

function settingsOfModel(): void {
  modelsOpen.value = false;
  showView("setup", "#model input:checked");
}

function Choice({ source, trouble }: { source: Source; trouble: string }) {
  const needs = needsWords(source);
  return (
    <div class={chosen.value === source.id ? "source taken" : "source"}>
      <label>
        <input
          type="radio"
          name="model"
          checked={chosen.value === source.id}
          aria-describedby={`model-${source.id}`}
          onChange={() => choose(source.id)}
        />
        <span class="source-title">{source.title}</span>
        {trouble !== "" && <span class="badge">not available</span>}
      </label>
      <p class={trouble === "" ? "hint" : "hint trouble"} id={`model-${source.id}`}>
        {trouble === "" ? needs || source.summary : trouble}
      </p>
    </div>
  );
}
