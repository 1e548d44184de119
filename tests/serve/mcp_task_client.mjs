// A client of the TypeScript SDK: calls `ask` as a task, says what the server tells of it, and answers its form.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [command, cwd, query] = [JSON.parse(process.argv[2]), process.argv[3], process.argv[4]];
const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } });
const said = { asked: [], types: [], statuses: [] };
client.setRequestHandler(ElicitRequestSchema, (request) => {
  said.asked.push(request.params.message);
  return { action: "accept", content: { approve: true } };
});
const [program, ...args] = command;
await client.connect(new StdioClientTransport({ command: program, args, cwd, env: process.env }));
const { tools } = await client.listTools();
said.support = tools.map((tool) => tool.execution?.taskSupport ?? null);
const stream = client.experimental.tasks.callToolStream({ name: "ask", arguments: { query } }, CallToolResultSchema, {
  task: { ttl: 60000 },
});
for await (const message of stream) {
  said.types.push(message.type);
  if (message.task) said.statuses.push(message.task.status);
  if (message.result) said.result = message.result;
  if (message.error) said.error = String(message.error);
}
await client.close();
console.log(JSON.stringify(said));
