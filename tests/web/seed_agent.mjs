// An agent loop as written for agent.rs's wasm package, but for the name it imports from: it runs tools and skills,
// retries once, and keeps the history itself.
import init, { create_agent_state, run_agent_step } from "purestep";

const outputs = [
  "First I will look at the files.",
  '{"tool":"shell","command":"ls -l"}',
  '{"tool":"shell","command":"ls"}',
  "OBSERVATIONS\nThere are a.txt and b.txt.\n\nFINAL ANSWER\nTwo files.",
];
const shell = { "ls -l": { success: true, output: "total 8" }, ls: { success: true, output: "a.txt\nb.txt" } };

function guard({ success, output }) {
  return !success || !/^total \d+$/.test(output.trim());
}

async function run(query, model) {
  let state = create_agent_state(query);
  for (let turn = 0; turn < 5; turn += 1) {
    const { history } = JSON.parse(state);
    const model_output = await model(history);
    const { state_json, decision } = JSON.parse(run_agent_step(JSON.stringify({ state_json: state, model_output })));
    state = state_json;
    if (decision.type === "done") return decision.answer;
    if (decision.type === "invoke_tool") {
      const result = shell[decision.params.command];
      console.log(decision.tool, decision.params.command, guard(result) ? "accepted" : "rejected");
      const kept = JSON.parse(state);
      kept.history.push({ role: "tool", content: guard(result) ? `Tool output:\n${result.output}` : "Tool failed" });
      state = JSON.stringify(kept);
    } else if (decision.type === "inconclusive") {
      console.log("inconclusive:", decision.output);
    } else {
      throw new Error(decision.type);
    }
  }
  throw new Error("no answer");
}

await init();
const roles = [];
const answer = await run("How many files are there?", async (history) => {
  roles.push(history.at(-1).role);
  return outputs[roles.length - 1];
});
console.log(answer.split("\n").at(-1), roles.join(" "));
try {
  run_agent_step("{");
  console.log("returned");
} catch (error) {
  console.log("thrown", error.message);
}
