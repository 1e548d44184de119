// A program as written for agent.rs's wasm package, but for the name it imports from.
import init, { create_agent_state, run_agent_step } from "purestep";

await init("agent_wasm_bg.wasm");

const outputs = ['{"tool":"shell","command":"ls"}', "There are two files."];
let state_json = create_agent_state("List the files");
for (const model_output of outputs) {
  const output = JSON.parse(run_agent_step(JSON.stringify({ state_json, model_output })));
  state_json = output.state_json;
  const { decision } = output;
  if (decision.type === "invoke_tool") {
    console.log(decision.tool, JSON.stringify(decision.params));
  } else if (decision.type === "done") {
    console.log(decision.answer);
  }
}
const { is_complete, final_answer, history } = JSON.parse(state_json);
console.log(is_complete, final_answer, history[0].role, history[0].content);
