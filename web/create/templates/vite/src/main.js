import { Agent, approved, loadCore, refused } from "purestep";
import { model } from "./model.js";
import { tools } from "./tools.js";

const [thread, form, message, send, stop] = ["#thread", "form", "#message", "#send", "#stop"].map((place) =>
  document.querySelector(place),
);
const agent = new Agent(await loadCore(), { model, tools });

function show() {
  const { status, items, approvals } = agent.getSnapshot();
  thread.replaceChildren(...items.flatMap(lines), ...approvals.map(card));
  thread.scrollTo(0, thread.scrollHeight);
  stop.hidden = status !== "running";
  send.disabled = status === "running" || status === "waiting";
}

/** What an item says, and under an ending what may have been changed, whatever the answer says of it. */
function lines({ type, text, message, tool, params_json, status, acts = [] }) {
  if (type === "call") return [line("call", `${tool} ${params_json}: ${status}`)];
  const changed = acts.map((act) => line("act", `changed: ${act.tool} ${JSON.stringify(act.params)} (${act.status})`));
  return [line(type, text ?? message), ...changed];
}

function card(call) {
  const question = line("card", `May ${call.tool} ${call.params_json} run? ${call.note ?? call.reason}`);
  const answer = (words, approval) => {
    const button = document.createElement("button");
    button.textContent = words;
    button.onclick = () => void agent.stream({ approvals: [approval] }).result;
    return button;
  };
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  buttons.append(answer("Refuse", refused(call)), answer("Approve and run", approved(call)));
  question.append(buttons);
  return question;
}

function line(kind, text) {
  const element = document.createElement("div");
  element.className = kind;
  element.textContent = text; // what a model or a tool says is text, never HTML
  return element;
}

agent.subscribe(show);
stop.onclick = () => agent.cancel();
form.onsubmit = (event) => {
  event.preventDefault();
  if (send.disabled || message.value.trim() === "") return;
  void agent.stream(message.value.trim()).result; // begins the run; show() says what comes of it
  message.value = "";
};
message.disabled = false; // until here, Enter would send the form to the page's own server
message.placeholder = "Where is order 8?";
show();
