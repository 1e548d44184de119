/** Chooses the model, with the settings of the one chosen, and loads it. */
import {
  choose,
  chosen,
  chosenSource,
  dropModel,
  modelReady,
  modelStatus,
  SOURCES,
  troubles,
} from "../models/choice.js";
import type { Source, SourceId } from "../models/source.js";
import { readingAhead } from "../data/read_ahead.js";
import { useEffect, useRef } from "preact/hooks";
import { CarryChoice } from "./carry_choice.js";
import { needsWords } from "./model_needs.js";
import { ModelSettings } from "./model_settings.js";
import { TestLine } from "./test_line.js";

export function ModelCard() {
  return (
    <section class="panel" aria-labelledby="model-title" id="model">
      <h2 id="model-title">Model</h2>
      <fieldset class="sources">
        <legend class="unseen">Which model the agent asks</legend>
        {SOURCES.map((source) => (
          <SourceRow key={source.id} source={source} trouble={troubles.value[source.id] ?? ""} />
        ))}
      </fieldset>
    </section>
  );
}

function SourceRow({ source, trouble }: { source: Source; trouble: string }) {
  const taken = chosen.value === source.id;
  return (
    <div class={taken ? "source taken" : "source"}>
      <label>
        <input type="radio" name="source" checked={taken} onChange={() => choose(source.id)} />
        <span class="source-title">{source.title}</span>
        {trouble !== "" && <span class="badge">not available</span>}
      </label>
      {taken && (
        <div class="source-body">
          <p class="hint">{source.summary}</p>
          {needsWords(source) !== "" && <p class="hint">{needsWords(source)}</p>}
          {trouble === "" ? <Usable id={source.id} /> : <p class="problem">{trouble}</p>}
        </div>
      )}
    </div>
  );
}

function Usable({ id }: { id: SourceId }) {
  return (
    <>
      <ModelSettings id={id} />
      {id !== "scripted" && <LoadModel />}
      <CarryChoice id={id} />
      {id !== "scripted" && <TestLine id={id} />}
    </>
  );
}

const load = (): void => void modelReady().catch(() => undefined);

/** The button that loads, the progress, what went wrong, or that it is ready; the keyboard stays here as it changes. */
export function LoadModel() {
  const part = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const { kind } = modelStatus.value;
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) part.current?.querySelector("button")?.focus();
  }, [kind]);
  return (
    <div
      ref={part}
      onFocusIn={() => (hadFocus.current = true)}
      // What is taken away has no place to go to; who goes on to another part has.
      onFocusOut={({ relatedTarget }) => (hadFocus.current = relatedTarget === null)}
    >
      <LoadStanding />
    </div>
  );
}

function LoadStanding() {
  const status = modelStatus.value;
  switch (status.kind) {
    case "none":
      return (
        <button type="button" class="primary wide" onClick={load}>
          {chosen.value === "http" ? "Use this endpoint" : `Load ${chosenSource().title}`}
        </button>
      );
    case "loading":
      return (
        <div class="load">
          <progress max={1} value={status.share} aria-label="Loading the model" />
          <p class="hint">{status.doing}</p>
          <button type="button" onClick={dropModel}>
            Cancel
          </button>
        </div>
      );
    case "ready":
      return (
        <p class="ready tone-accepted">
          <span class="dot" />
          <span>
            Ready: {status.model.name}
            {readingAhead.value && <span class="muted"> · reading ahead</span>}
          </span>
          <button type="button" class="quiet small" onClick={dropModel}>
            Unload
          </button>
        </p>
      );
    case "failed":
      return (
        <div role="alert">
          <p class="problem">{status.message}</p>
          <button type="button" onClick={load}>
            Try again
          </button>
        </div>
      );
  }
}
