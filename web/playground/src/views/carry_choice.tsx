/** The choice of how much the core does for a model. */
import type { CarryLevel } from "../../../src/agent/carry.js";
import { CARRY_LEVELS } from "../../../src/agent/carry.js";
import { carryOf, chooseCarry } from "../models/carry.js";
import type { SourceId } from "../models/source.js";

const MEANING: Readonly<Record<CarryLevel, string>> = {
  off: "The model chooses every tool and every value itself.",
  ground: "It is shown examples, and links and addresses are taken from your words and earlier results.",
};

export function CarryChoice({ id }: { id: SourceId }) {
  const taken = carryOf(id);
  return (
    <fieldset class="carry">
      <legend>Help for small models</legend>
      {CARRY_LEVELS.map((level) => (
        <label key={level}>
          <input type="radio" name="carry" checked={level === taken} onChange={() => chooseCarry(id, level)} />
          <span>
            <b>{level}</b> <span class="hint">{MEANING[level]}</span>
          </span>
        </label>
      ))}
      <p class="hint">The next run takes this, unless the definition names a level of its own.</p>
    </fieldset>
  );
}
