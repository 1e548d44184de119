// Plays rows as a program for agent.rs does, with the two functions of the package; says what each ends with.
import { readFileSync } from "node:fs";
import init, { create_agent_state, run_agent_step } from "purestep";

const { errors, rows } = JSON.parse(readFileSync(0, "utf8"));
await init(errors === undefined ? "agent_wasm_bg.wasm" : { errors });

function played(steps) {
  let state = create_agent_state("List the files");
  let output = {};
  for (const given of steps) {
    const { added, input, ...members } = typeof given === "string" ? { model_output: given } : given;
    if (added) {
      const kept = JSON.parse(state);
      state = JSON.stringify({ ...kept, history: [...kept.history, added] });
    }
    output = JSON.parse(run_agent_step(input ?? JSON.stringify({ state_json: state, ...members })));
    state = output.state_json ?? state;
  }
  return output;
}

const outputs = rows.map((steps) => {
  try {
    return played(steps);
  } catch (error) {
    return { thrown: error.name, code: error.code };
  }
});
console.log(JSON.stringify(outputs));
