// A dialect of one's own in JavaScript, tried on a core: used by a page, and by own_dialect_node.mjs in Node.

export const shout = {
  name: "shout",
  remind: "Write CALL NAME JSON, or the answer.",
  hidden: [["<<", ">>"]],
  read(text) {
    const [word, tool, ...rest] = text.split(" ");
    return word === "CALL" ? { calls: [{ tool, params: JSON.parse(rest.join(" ") || "{}") }] } : { content: text };
  },
  instruct: (tools) => `Write CALL NAME JSON. Tools: ${tools.map(({ name }) => name).join(", ")}`,
  write: ({ calls, answer }) =>
    answer ?? calls.map(({ tool, params }) => `CALL ${tool} ${JSON.stringify(params)}`).join("\n"),
  /** Shows whole words, in capitals, and nothing of a call. */
  format(held, chunk, isOver) {
    const text = held + chunk;
    if (text.startsWith("CALL ")) return { held: "CALL ", text: "" };
    const end = isOver ? text.length : text.lastIndexOf(" ") + 1;
    return { held: text.slice(end), text: text.slice(0, end).toUpperCase() };
  },
};

const ECHO = { name: "echo", parameters: { type: "object", properties: { text: { type: "string" } } } };

export default shout;

/** What came of everything that is tried. */
export async function tried({ Agent, createAgentCore }, options) {
  const core = await createAgentCore(options);
  core.registerDialect(shout);
  const refused = (dialect) => {
    try {
      core.registerDialect(dialect);
      return "registered";
    } catch (error) {
      return error.code;
    }
  };
  const step = (agent, given) => JSON.parse(core.run_agent_step(JSON.stringify({ agent, ...given })));
  const asked = { run_id: "r", observation: { type: "user_message", content: "Echo it" } };
  const agent = { dialect: "shout", tools: [ECHO] };
  const first = step(agent, asked);
  const output = { type: "model_output", content: `CALL echo {"text":"ü😀${"x".repeat(600)}"}` };
  const called = step(agent, { state: first.state, observation: output });
  const log = first.log + called.log;

  core.registerDialect({
    ...shout,
    name: "broken",
    read() {
      throw new Error("it broke");
    },
  });
  core.registerDialect({ ...shout, name: "late", read: async (text) => shout.read(text) });
  core.registerDialect({ ...shout, name: "odd", read: () => ({ content: 7n }) });
  const failed = ["broken", "late", "odd"].map((dialect) => {
    const begun = step({ ...agent, dialect }, asked);
    return step({ ...agent, dialect }, { state: begun.state, observation: output }).error;
  });

  const texts = [];
  const outputs = ['CALL echo {"text":"tree"}', "it says <<hidden>> tree now"];
  const model = {
    name: "scripted",
    complete: async (_request, sink) => {
      const content = outputs.shift();
      for (const piece of content.match(/.{1,3}/gu)) sink.text(piece);
      return { type: "model_output", content };
    },
  };
  const ports = {
    model,
    tools: [{ spec: { ...ECHO, annotations: { readOnlyHint: true } }, run: async ({ text }) => text }],
    watch: { onText: (text) => texts.push(text) },
  };
  const done = await new Agent(core, ports, { dialect: "shout" }).ask("Echo it");

  return {
    taught: first.messages[0].content,
    params: called.decision.params,
    verified: JSON.parse(core.verify_log(log)).ok,
    failed,
    answer: done.answer,
    shown: texts.join(""),
    refused: [
      refused({ ...shout, name: "envelope" }),
      refused({ ...shout, name: "" }),
      refused({ ...shout, name: "other", read: undefined }),
      refused({ ...shout, name: "other", hidden: [["<"]] }),
    ],
  };
}
