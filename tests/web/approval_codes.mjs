// Does with approval codes what stdin says, as a host and as a person's device, and prints what came of it.
const { answerRequest, ApprovalCodes, fingerprint, publicText, readRequest } = await import(
  new URL("approval_codes/index.js", process.argv[2])
);
const { withTexts } = await import(new URL("agent/decision_text.js", process.argv[2]));
const { decisionOf } = await import(new URL("agent/decision_text.js", process.argv[2]));
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { keys, approvers, name, now, states = [], codes = [], answers = [], mistakenIn } = JSON.parse(text);

/** Gives a key pair of the form that Python writes. */
async function pair({ pkcs8, raw }) {
  const bytes = (base64) => Buffer.from(base64, "base64");
  const privateKey = await crypto.subtle.importKey("pkcs8", bytes(pkcs8), "Ed25519", false, ["sign"]);
  const publicKey = await crypto.subtle.importKey("raw", bytes(raw), "Ed25519", true, ["verify"]);
  return { privateKey, publicKey };
}

const [host, person] = await Promise.all([pair(keys.host), pair(keys.person)]);
const service = new ApprovalCodes({ key: host, approvers, name });

function waitingOf({ run_id, head, decision, definition, only }) {
  const calls = withTexts(decisionOf(decision).calls, decision).map((call) => ({ ...call }));
  return { run_id, head, calls, definition: definition ?? undefined, only: only ?? undefined };
}

const refusal = (error) => ({ code: error.code ?? String(error) });
const requests = await Promise.all(states.map((state) => service.request(waitingOf(state), { now }).catch(refusal)));
const read = await Promise.all(
  codes.map(async ([code, said]) => {
    try {
      const request = await readRequest(code);
      return { text: request.text, answer: await answerRequest(request, person, said, { now }) };
    } catch (error) {
      return refusal(error);
    }
  }),
);
const checked = [];
for (const { answer, state, at } of answers)
  checked.push(await service.check(answer, waitingOf(state), { now: at }).catch(refusal));
/** Gives what comes of keys, names, lives and answers that are none. */
async function mistaken(waiting) {
  const names = (tries) => Promise.all(tries.map((make) => make().then(String, (error) => error.constructor.name)));
  const elliptic = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const request = await readRequest((await service.request(waiting, { now })).code);
  const said = [{ approved: "yes" }, { approved: true, params: {} }, { approved: true, reason: "good" }, {}];
  return {
    thrown: await names([
      () => new ApprovalCodes({ key: elliptic, approvers, name }).request(waiting, { now }),
      () => answerRequest(request, elliptic, [{ approved: true }]),
      () => service.request({ ...waiting, only: [] }, { now }),
      ...[0, -1, 2 ** 53, NaN].map((lifeMs) => () => service.request(waiting, { now, lifeMs })),
      ...said.map((each) => () => answerRequest(request, person, [each])),
    ]),
    checked: await Promise.all([null, 5].map((each) => service.check(each, waiting).catch((error) => error.code))),
  };
}
const mistakes = mistakenIn ? await mistaken(waitingOf(mistakenIn)) : null;
const digits = await fingerprint(await publicText(person));
console.log(JSON.stringify({ requests, read, checked, mistakes, digits }));
