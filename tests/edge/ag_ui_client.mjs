// Talks to services as the official AG-UI client: node ag_ui_client.mjs < TALK.json > FOUND.json
//
// TALK: {"url", "agent", "state", "turns"}. A turn: {"say": text, "files": [data URL]}, {"approve": true or false,
// "arguments"}, or {} to ask again; with "url" it goes to another service, with "state" it has that state, and with
// "stop_at" it leaves at the first event of that type. FOUND: {"messages", "state", "turns": [{"events", "error",
// "interrupts"}]}, as the client has them after it has verified every event.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { HttpAgent } = await import(pathToFileURL(require.resolve("@ag-ui/client")).href);
const talk = JSON.parse(await text(process.stdin));
const agent = new HttpAgent({ url: `${talk.url}/ag-ui`, threadId: "a-thread", initialState: talk.state });

const contentOf = ({ say, files }) =>
  files
    ? [
        { type: "text", text: say },
        ...files.map((value) => ({
          type: "image",
          source: { type: "url", value },
          metadata: { filename: "a.gif" },
        })),
      ]
    : say;

const resumeOf = ({ approve, arguments: params }) =>
  approve === undefined
    ? undefined
    : agent.pendingInterrupts.map(({ id }) => ({
        interruptId: id,
        status: "resolved",
        payload: { approved: approve, ...(params && { arguments: params }) },
      }));

const turns = [];
for (const turn of talk.turns) {
  const events = [];
  if (turn.url) agent.url = `${turn.url}/ag-ui`;
  if (turn.state !== undefined) agent.setState(turn.state);
  if (turn.say !== undefined) agent.addMessage({ id: crypto.randomUUID(), role: "user", content: contentOf(turn) });
  const asked = { resume: resumeOf(turn), forwardedProps: talk.agent && { agent: talk.agent } };
  let error = null;
  const onEvent = ({ event }) => {
    events.push(event);
    if (event.type === turn.stop_at) setTimeout(() => agent.abortRun(), 50);
  };
  try {
    await agent.runAgent(asked, {
      onEvent,
      onRunFailed: (failed) => void (error = String(failed.error.message)),
    });
  } catch (thrown) {
    error = String(thrown.message);
  }
  turns.push({ events, error, interrupts: agent.pendingInterrupts.map((each) => each.toolCallId) });
}
console.log(JSON.stringify({ messages: agent.messages, state: agent.state, turns }));
