// Seals in Node, beside the vectors and with a host's own users and store: node seals.mjs < VECTORS; prints what it found.
import { text } from "node:stream/consumers";
import { createAgentCore } from "../../web/dist/core/core.js";
import { createEdgeHandler } from "../../web/dist/edge/index.js";
import { Seals } from "../../web/dist/edge/seals.js";
import { parseVerbatim, writeExactly } from "../../web/dist/exact_numbers.js";

const core = await createAgentCore();
const { key, vectors } = parseVerbatim(await text(process.stdin));
console.log(
  JSON.stringify({
    ...(await heldToVectors()),
    ...(await users()),
    ...(await store()),
    ...(await chats()),
    ...(await alike()),
    ...(await refused()),
  }),
);

/** Makes and checks the seal of each vector; gives the names of those that differ. */
async function heldToVectors() {
  const differing = [];
  let verified = 0;
  const { subtle } = crypto;
  const verify = subtle.verify;
  subtle.verify = (...given) => ((verified += 1), verify.apply(subtle, given));
  for (const { name, state, messages, children, user, expires_at, seal } of vectors) {
    const below = children && { children: writeExactly(children) };
    const run = { state: writeExactly(state), messages: writeExactly(messages), ...below, user };
    const seals = new Seals(core, [key], 1000, () => Number(expires_at) - 1000);
    const made = await seals.seal(run);
    const ends = await seals.check(seal, run);
    if (made !== seal || ends !== Number(expires_at)) differing.push({ name, made });
  }
  delete subtle.verify;
  return { differing, vectors: vectors.length, verified };
}

function service(options) {
  const calls = [];
  const said = ['{"kind":"tool_call","tool_name":"pay","arguments":{}}', '{"kind":"final","content":"Paid."}'];
  const pay = {
    spec: { name: "pay", parameters: { type: "object" }, approval: "ask" },
    run: async () => (calls.push("pay"), { ok: true, output: "paid" }),
  };
  const complete = async ({ messages }) => ({
    type: "model_output",
    content: said[messages.at(-1).role === "user" ? 0 : 1],
  });
  const handler = createEdgeHandler({
    core,
    model: { name: "m", complete },
    tools: [pay],
    sealKeys: [key],
    ...options,
  });
  const send = (path, body, user = "") => {
    const headers = { "content-type": "application/json", "x-user": user };
    return handler(new Request(`http://edge${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
  };
  const post = async (body, user) => {
    const answer = await send("/run", body, user);
    return { status: answer.status, ...(await answer.json()) };
  };
  return { calls, post, send };
}

function standing({ state, messages, seal }) {
  return { state, messages, seal };
}

function approvals({ decision }) {
  return decision.calls.map(({ call_id, key }) => ({ call_id, key, approved: true }));
}

function codeOf({ status, error }) {
  return error ? `${status} ${error.code}` : `${status}`;
}

/** A run of one user is nobody else's. */
async function users() {
  const { post, calls } = service({ user: (request) => request.headers.get("x-user") });
  const asked = await post({ query: "Pay" }, "ann");
  const request = { ...standing(asked), approvals: approvals(asked) };
  const others = [await post(request, "bob"), await post(request)].map(codeOf);
  const before = calls.length;
  const own = codeOf(await post(request, "ann"));
  const odd = service({ user: () => undefined });
  const unknown = [codeOf(await odd.post({ query: "Pay" })), odd.calls.length];
  return { users: { others, before, own, after: calls.length, unknown } };
}

/** With a store, a run moves on from each of its points once. */
async function store() {
  const points = new Map();
  const spend = async (point, expiresAt) => !points.has(point) && !!points.set(point, expiresAt);
  const { post, calls } = service({ spent: { spend } });
  const asked = await post({ query: "Pay" });
  const again = await post(standing(asked));
  const request = { ...standing(again), approvals: approvals(asked) };
  const both = (await Promise.all([post(request), post(request)])).map(codeOf).sort();
  const late = codeOf(await post(request));
  const looking = codeOf(await post(standing(asked)));
  const ran = calls.length;
  // A mistake spends nothing.
  const next = await post({ query: "Pay" });
  const wrong = approvals(next).map((approval) => ({ ...approval, key: "0".repeat(32) }));
  const mistaken = codeOf(await post({ ...standing(next), approvals: wrong }));
  const mended = codeOf(await post({ ...standing(next), approvals: approvals(next) }));
  const ends = [...points].every(([point, expiresAt]) => /^[0-9a-f]{64}$/.test(point) && expiresAt > Date.now());
  const broken = service({ spent: { spend: () => Promise.reject(new Error("down")) } });
  const down = await broken.post({ query: "Pay" });
  const unsure = codeOf(await broken.post({ ...standing(down), approvals: approvals(down) }));
  return { store: { both, late, looking, ran, mistaken, mended, ends, unsure, unsureRan: broken.calls.length } };
}

/** Two users choose the same run id at the same moment: each run has points of its own. */
async function alike() {
  const points = new Map();
  const spend = async (point, expiresAt) => !points.has(point) && !!points.set(point, expiresAt);
  const user = (request) => request.headers.get("x-user");
  const { post, calls } = service({ user, spent: { spend }, clock: () => Number(vectors[0].expires_at) });
  const asked = [];
  for (const name of ["ann", "bob", ""]) asked.push([name, await post({ query: "Pay", run_id: "mine" }, name)]);
  const heads = new Set(asked.map(([, { state }]) => state.head)).size;
  const codes = [];
  for (const [name, run] of [...asked, asked[0]])
    codes.push(codeOf(await post({ ...standing(run), approvals: approvals(run) }, name)));
  return { alike: { heads, codes, calls: calls.length, points: points.size } };
}

/** With a store, an answer in a chat is taken once, the chat goes on, and no answer is made anew. */
async function chats() {
  const points = new Set();
  const { send, calls } = service({ spent: { spend: async (point) => !points.has(point) && !!points.add(point) } });
  const chat = async (messages, into = { role: "assistant", parts: [], metadata: { purestep: { log: {} } } }) => {
    const answer = await send("/ai-sdk", { id: "chat", messages });
    const body = await answer.text();
    if (answer.status !== 200) return codeOf({ status: answer.status, ...JSON.parse(body) });
    const lines = body.split("\n\n").filter((line) => line.startsWith("data: {"));
    const chunks = lines.map((line) => JSON.parse(line.slice("data: ".length)));
    const { parts, metadata } = structuredClone(into);
    for (const { type, toolCallId, approvalId, messageMetadata } of chunks) {
      const { log, seal } = messageMetadata?.purestep ?? {};
      if (seal) metadata.purestep = { log: { ...metadata.purestep.log, ...log }, seal };
      const approval = { id: approvalId, approved: true };
      if (type === "tool-approval-request") parts.push({ state: "approval-responded", toolCallId, approval });
    }
    return { role: "assistant", parts, metadata, told: chunks.find(({ type }) => type === "error") };
  };
  const says = { role: "user", parts: [{ type: "text", text: "Pay" }] };
  const asked = await chat([says]);
  const both = await Promise.all([chat([says, asked], asked), chat([says, asked], asked)]);
  const paid = both.find((each) => typeof each === "object");
  const next = await chat([says, { ...paid, parts: [] }, says]);
  const anew = await chat([says, { ...asked, parts: [] }, says]);
  const refused = both.filter((each) => each !== paid);
  return { chats: { refused, calls: calls.length, next: next.parts.length, anew } };
}

/** What a service does not start with. */
async function refused() {
  const attempts = [
    {},
    { sealKeys: [] },
    { unsigned: false },
    { unsigned: true, sealKeys: [key] },
    { unsigned: "yes" },
  ];
  const more = [{ sealKeys: [{ id: "a", secret: "short" }] }, { sealKeys: [key], sealLifeMs: 0.5 }];
  const codes = [...attempts, ...more].map((options) => {
    try {
      createEdgeHandler({ core, ...options });
      return "started";
    } catch (error) {
      return error.message.includes(key.secret) ? "told the secret" : error.code;
    }
  });
  return { refused: codes };
}
