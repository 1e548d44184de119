// Talks to a service as an AG-UI client: node ag_ui_client.mjs URL TOKEN < TURNS.json > FOUND.json
//
// TURNS: [{"say": text}, {"approve": true or false}, or both]. FOUND: {"messages", "turns": [{"events": [type], "interrupts":
// [tool call id]}]}, as the official client has them after it has verified every event.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { HttpAgent } = await import(pathToFileURL(require.resolve("@ag-ui/client")).href);
const [url, token] = process.argv.slice(2);
const agent = new HttpAgent({
  url: `${url}/ag-ui`,
  threadId: "a-thread",
  headers: { Authorization: `Bearer ${token}` },
});

const turns = [];
for (const turn of JSON.parse(await text(process.stdin))) {
  const events = [];
  if (turn.say) agent.addMessage({ id: crypto.randomUUID(), role: "user", content: turn.say });
  const resume =
    turn.approve === undefined
      ? undefined
      : agent.pendingInterrupts.map(({ id }) => ({
          interruptId: id,
          status: "resolved",
          payload: { approved: turn.approve },
        }));
  await agent.runAgent({ resume }, { onEvent: ({ event }) => void events.push(event.type) });
  turns.push({ events, interrupts: agent.pendingInterrupts.map((each) => each.toolCallId) });
}
console.log(JSON.stringify({ messages: agent.messages, turns }));
