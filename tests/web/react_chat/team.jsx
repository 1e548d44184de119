/** Two agents below one, of which each asks before it pays. */
import { use } from "react";
import { Agent, createAgentCore, tool } from "purestep";
import { Approvals, Composer, Thread, Timeline, useAgent } from "purestep/react";
import "purestep/react/styles.css";
import { z } from "zod";

const call = (tool_name, args) => JSON.stringify({ kind: "tool_call", tool_name, arguments: args });
const final = (content) => JSON.stringify({ kind: "final", content });

function scripted(...outputs) {
  return {
    name: "script",
    async complete(_request, reply) {
      const content = outputs.shift();
      reply.text(content);
      return { type: "model_output", content };
    },
  };
}

const pay = tool({
  name: "pay",
  description: "Pay an amount.",
  parameters: z.object({ amount: z.number().int() }),
  approval: "ask",
  execute: ({ amount }) => `${amount} paid`,
});
const ready = createAgentCore().then((core) => {
  const desk = (name, amount) =>
    new Agent(core, { model: scripted(call("pay", { amount }), final(`${name} is done.`)), tools: [pay] }, { name });
  const both = `[${call("till", { question: "Pay 1" })},${call("bank", { question: "Pay 2" })}]`;
  return new Agent(core, { model: scripted(both, final("Both are paid.")), tools: [desk("till", 1), desk("bank", 2)] });
});

export function Team() {
  const agent = useAgent(use(ready));
  return (
    <>
      <Thread items={agent.items} />
      <Timeline items={agent.items} />
      <Approvals {...agent} by="ann" />
      <Composer {...agent} />
    </>
  );
}
