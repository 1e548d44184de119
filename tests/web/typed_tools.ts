// What the compiler infers of tools: compiled without output, never run. A marked line is an error that must be one.
import { type } from "arktype";
import { Agent, approved, createAgentCore, jsonSchemaOf, tool, ToolFailure } from "purestep";
import type { AgentEvent, AgentPlace, AgentTool } from "purestep";
import { openAiModel } from "purestep/openai";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { z } from "zod";

export const ofZod = tool({
  name: "ship",
  description: "Ship an order.",
  parameters: z.object({ number: z.number().int(), city: z.string().default("Oslo"), when: z.iso.date().optional() }),
  output_schema: z.object({ to: z.string() }),
  annotations: { destructiveHint: true },
  approval: "ask",
  async execute({ number, city, when }, { key, signal }) {
    number satisfies number;
    city satisfies string;
    when satisfies string | undefined;
    key satisfies string;
    signal satisfies AbortSignal;
    // @ts-expect-error a number is no text
    city satisfies number;
    if (number < 0) throw new ToolFailure("there is no such order", "invalid_arguments");
    return { to: city };
  },
});

export const ofValibot = tool({
  name: "find",
  parameters: toStandardJsonSchema(v.object({ number: v.pipe(v.number(), v.integer()), note: v.optional(v.string()) })),
  execute: ({ number, note }) => `${number satisfies number} ${note satisfies string | undefined}`,
});

export const ofArkType = tool({
  name: "add",
  parameters: type({ a: "number", "b?": "number" }),
  execute: ({ a, b = 0 }) => a + b,
});

export const transformed = tool({
  name: "count",
  parameters: z.object({ text: z.string().transform((text) => text.length) }),
  execute: ({ text }) => text satisfies number,
});

export const ofJsonSchema = tool({
  name: "shout",
  parameters: { type: "object", properties: { text: { type: "string" } } },
  execute: ({ text }) => text.toUpperCase(),
});

export const withoutArguments = tool({ name: "now", execute: () => Date.now() });

// @ts-expect-error the output is not what the schema says
tool({ name: "wrong", output_schema: z.object({ to: z.string() }), execute: () => ({ to: 1 }) });
// @ts-expect-error no such approval
tool({ name: "wrong", approval: "maybe", execute: () => 1 });
// @ts-expect-error no such member of the arguments
tool({ name: "wrong", parameters: z.object({ a: z.number() }), execute: ({ b }) => b });

export async function program(): Promise<string> {
  const model = openAiModel({ baseUrl: "http://127.0.0.1:8080/v1", model: "m" });
  const answer_schema = jsonSchemaOf(z.object({ total: z.number() }));
  const agent = new Agent(await createAgentCore(), { model, tools: [ofZod, ofValibot, ofArkType] }, { answer_schema });
  for await (const event of agent.stream("Go")) shown(event);
  const [call] = agent.getSnapshot().approvals;
  const end = await agent.stream({ approvals: call ? [approved(call, { by: "ann" })] : [] }).result;
  return end.answer ?? end.message ?? "";
}

/** Agents are tools of others, and say where they are. */
export async function team(desk: Agent): Promise<string> {
  const model = openAiModel({ baseUrl: "http://127.0.0.1:8080/v1", model: "m" });
  const lent: AgentTool = desk.asTool({ name: "desk", description: "Pays." });
  const lead = new Agent(desk.core, { model, tools: [ofZod, desk, lent] });
  // @ts-expect-error the name of an agent is no agent
  new Agent(desk.core, { model, tools: ["desk"] });
  // @ts-expect-error no such option
  desk.asTool({ title: "desk" });
  const places: AgentPlace[] = [];
  for await (const event of lead.stream("Go")) {
    if (event.type === "approval") places.push(...event.calls);
    else if (event.type !== "done") places.push(event);
    // @ts-expect-error the end of a run is the run's own
    else event.path satisfies unknown;
  }
  lead.watch({ below: ({ path = [] }) => ({ onText: (text) => console.log(...path, text) }) });
  const { acts = [] } = await lead.ask("Go on");
  return [...places, ...acts].map(({ path }) => (path satisfies readonly string[] | undefined)?.join() ?? "").join();
}

/** Every event has one of these types: without one of them this does not compile. */
function shown(event: AgentEvent): string {
  switch (event.type) {
    case "text":
    case "reasoning":
      return event.text;
    case "retract":
      return "";
    case "call":
      return `${event.tool} ${event.params_json}`;
    case "result":
      return event.ok ? String(event.output) : (event.error ?? "");
    case "approval":
      return event.calls.map(({ reason }) => reason).join();
    case "done":
      return event.status;
  }
}
