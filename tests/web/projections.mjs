// Reads projections with the packages that they are for: node projections.mjs < PROJECTIONS.json > FOUND.json
//
// PROJECTIONS: {name: {"ag_ui": [event], "chunks": [chunk], "messages": [UI message], "approvals": {key: {"approved",
// "reason"?}}}}. FOUND: {name: {"problems": [text], "stored", "folded": [UI message]}}: what the packages
// refuse, the messages of the run's own answers, and those that the AI SDK itself makes of the chunks, with the approvals as its
// client adds them.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { EventSchemas } = await load("@ag-ui/core/schemas");
const { verifyEvents } = await load("@ag-ui/client");
const { from } = await load("rxjs");
const { readUIMessageStream, uiMessageChunkSchema, validateUIMessages } = await load("ai");
const chunkSchema = uiMessageChunkSchema();

const found = {};
for (const [name, given] of Object.entries(JSON.parse(await text(process.stdin)))) {
  const problems = [];
  for (const event of given.ag_ui) {
    const read = EventSchemas.safeParse(event);
    if (!read.success) problems.push(`${event.type}: ${read.error.message}`);
  }
  await new Promise((done) => {
    const refused = (error) => done(problems.push(`order: ${error.message}`));
    from(given.ag_ui).pipe(verifyEvents()).subscribe({ error: refused, complete: done });
  });
  for (const chunk of given.chunks) {
    const read = await chunkSchema.validate(chunk);
    if (!read.success) problems.push(`${chunk.type}: ${read.error.message}`);
  }
  const folded = await foldedMessages(given.chunks, given.approvals, problems);
  for (const messages of [given.messages, folded]) {
    try {
      if (messages.length > 0) await validateUIMessages({ messages });
    } catch (error) {
      problems.push(`messages: ${error.message}`);
    }
  }
  found[name] = { problems, folded, stored: given.messages.filter((message) => message.metadata?.runId) };
}
console.log(JSON.stringify(found));

async function foldedMessages(chunks, approvals, problems) {
  const messages = [];
  for (const segment of segmentsOf(chunks)) {
    const last = messages.at(-1);
    const message = last?.id === segment[0].messageId ? withAnswers(messages.pop(), approvals) : undefined;
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of segment) controller.enqueue(chunk);
        controller.close();
      },
    });
    let latest = message;
    const onError = (error) => {
      const told = segment.some((chunk) => chunk.type === "error" && chunk.errorText === error.message);
      if (!told) problems.push(`stream: ${error.message}`);
    };
    for await (const state of readUIMessageStream({ message, stream, onError })) latest = state;
    messages.push(latest);
  }
  return messages;
}

function segmentsOf(chunks) {
  const segments = [];
  for (const chunk of chunks) {
    if (chunk.type === "start") segments.push([]);
    segments.at(-1).push(chunk);
  }
  return segments;
}

// What useChat's addToolApprovalResponse does.
function withAnswers(message, approvals) {
  const parts = message.parts.map((part) => {
    const answer = part.state === "approval-requested" ? approvals[part.approval.id] : undefined;
    if (answer === undefined) return part;
    return { ...part, state: "approval-responded", approval: { ...part.approval, ...answer } };
  });
  return { ...message, parts };
}
