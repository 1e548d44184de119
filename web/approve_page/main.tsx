/** The page for phones: opens the code that a waiting run shows, asks the person, and shows the signed answer. */
import { signal } from "@preact/signals";
import { render } from "preact";
import { CodeField } from "../playground/src/views/code_field.js";
import { CopyButton } from "../playground/src/views/copy_button.js";
import { ToneIcon } from "../playground/src/views/icons.js";
import { answerRequest, fingerprint, readRequest, type Said, signedAnswer } from "../src/approval_codes/index.js";
import { inGroups } from "../src/approval_codes/packing.js";
import { AnswerView, type SignedAnswer } from "./answer_view.js";
import { type OwnKey, ownKey, trust, trustIn } from "./kept.js";
import { keepForOffline } from "./offline.js";
import { type OpenRequest, RequestView } from "./request_view.js";

interface Own extends OwnKey {
  readonly digits: string;
}

const own = signal<Own | undefined>();
const request = signal<OpenRequest | undefined>();
const answer = signal<SignedAnswer | undefined>();
const problem = signal("");

/** Whether a text holds a request or an answer, so that the camera does not stop at another code. */
const isCode = (text: string): boolean => /(?:^|#)[ra]\.[A-Za-z0-9_-]+$/.test(text.trim());

/** Opens a code or a link with one; says what is wrong with it. */
async function open(text: string): Promise<void> {
  problem.value = "";
  try {
    if (/(?:^|#)a\./.test(text.trim())) await openAnswer(text);
    else await openRequest(text);
  } catch (error) {
    problem.value = `This code cannot be opened: ${error instanceof Error ? error.message : String(error)}.`;
    request.value = answer.value = undefined;
  }
}

async function openRequest(text: string): Promise<void> {
  const read = await readRequest(text);
  const [trusted, host] = await Promise.all([trustIn(read.host, read.name), fingerprint(read.host)]);
  answer.value = undefined;
  request.value = { request: read, trust: trusted, host, own: own.value!.digits };
}

async function openAnswer(text: string): Promise<void> {
  const { answers, key } = await signedAnswer(text);
  const code = text.trim().split("#").at(-1)!;
  answer.value = { code, answers, by: await fingerprint(key), isFromLink: true };
}

async function compared(): Promise<void> {
  const { request: read } = request.value!;
  await trust(read.host, read.name);
  request.value = { ...request.value!, trust: "known" };
}

async function sign(said: readonly Said[]): Promise<void> {
  const code = await answerRequest(request.value!.request, own.value!.pair, said);
  answer.value = { code, answers: said, by: own.value!.digits, isFromLink: false };
  requestAnimationFrame(() => document.getElementById("answered")?.focus());
}

function Page() {
  if (own.value === undefined) return <p role="alert">{problem.value}</p>;
  const isStart = !answer.value && !request.value;
  return (
    <>
      {answer.value ? (
        <AnswerView answer={answer.value} again={request.value && (() => (answer.value = undefined))} />
      ) : request.value ? (
        <RequestView
          key={request.value.request.text}
          {...request.value}
          compared={() => void compared()}
          answer={(said) => void sign(said)}
        />
      ) : (
        <Start />
      )}
      {!isStart && (
        <details class="next">
          <summary>Open another code</summary>
          <Opening />
        </details>
      )}
      <OwnKeyView own={own.value} isOpen={isStart} />
    </>
  );
}

function Start() {
  return (
    <section aria-labelledby="start">
      <h1 id="start">Approve from this phone</h1>
      <p class="lead">
        Scan the code that a waiting run shows, see what it asks, and sign your answer. This page is one file. It loads
        nothing else, and sends nothing anywhere.
      </p>
      <Opening />
    </section>
  );
}

function Opening() {
  return (
    <CodeField
      id="code"
      label="Or paste the link of a code"
      scan="Scan a code"
      go="Open"
      fits={isCode}
      take={(text) => void open(text)}
      problem={problem.value}
    />
  );
}

function OwnKeyView({ own: { text, digits, isKept }, isOpen }: { own: Own; isOpen: boolean }) {
  return (
    <details class="own" open={isOpen}>
      <summary>This phone's key</summary>
      <p class="hint">
        Whoever runs the agent has to know it, once. It says who you are, and cannot be used to sign: what signs never
        leaves this browser.
      </p>
      <p class="digits">{inGroups(digits)}</p>
      <div class="block">
        <CopyButton text={text} label="Copy the key" />
        <pre class="code" tabIndex={0} role="region" aria-label="Public key">
          {text}
        </pre>
      </div>
      {!isKept && (
        <p class="note tone-corrected">
          <ToneIcon tone="corrected" /> This browser keeps nothing for this page, so its key is another one at the next
          visit. Open the page from a server, and not in a private window.
        </p>
      )}
    </details>
  );
}

async function start(): Promise<void> {
  render(<Page />, document.getElementById("page")!);
  if (top !== self) {
    problem.value =
      "This page shows nothing inside of another one, which could hide what you approve. Open it by itself.";
    return;
  }
  try {
    const key = await ownKey();
    own.value = { ...key, digits: await fingerprint(key.text) };
  } catch {
    problem.value =
      "This browser has no signatures of the kind Ed25519, or this page was sent without TLS. A newer one has.";
    return;
  }
  const openFragment = (): void => void (location.hash.length > 1 && open(location.hash));
  addEventListener("hashchange", openFragment);
  openFragment();
  keepForOffline();
}

void start();
