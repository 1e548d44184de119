/** A call that a person is asked about: what will run, and why they are asked. The card and the phone's page show it alike. */
import { outsideSentences, insideWords } from "../data/origin_sentences.js";
import type { OriginSentence } from "../data/origin_sentences.js";
import type { ArgumentOrigin, Problem } from "../../../src/generated/wire.js";
import { askingWords } from "../data/event_words.js";
import { ToneIcon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";

/** What is shown of a call. */
export interface ShownCall {
  readonly tool: string;
  readonly path?: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly note?: string;
  readonly problems?: readonly Problem[];
  readonly origins?: readonly ArgumentOrigin[];
}

interface AskedCallProps {
  readonly call: ShownCall;
  readonly id: string;
  /** Which of several it is. */
  readonly place: string;
  /** What the results of a tool are called, where its name does not say it. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  /** Goes to the call that a value comes from, where that can be seen. */
  readonly goToCall?: (callId: string, from: HTMLElement) => void;
}

export function AskedCallFacts({ call, id, place, sources, goToCall }: AskedCallProps) {
  return (
    <>
      <p>
        <code class="tool-name" id={`${id}-tool`}>
          <UntrustedText text={[...(call.path ?? []), call.tool].join(" > ")} />
        </code>{" "}
        {place && <span class="hint">{place}</span>}
      </p>
      <WhyAsked call={call} sources={sources} goToCall={goToCall} />
      {call.problems?.map((problem) => (
        <p class="hint" key={problem.message}>
          <UntrustedText text={problem.message} />
        </p>
      ))}
    </>
  );
}

type WhyAskedProps = Pick<AskedCallProps, "call" | "sources"> & { goToCall: AskedCallProps["goToCall"] | undefined };

/** Why a person is asked: the values that come from outside, each in a sentence, or else the words of the core. */
function WhyAsked({ call, sources, goToCall }: WhyAskedProps) {
  const outside = outsideOf(call, sources);
  const inside = insideWords(call.origins ?? []);
  if (outside.length === 0 || call.note) {
    return (
      <p class="approve-reason">
        <UntrustedText text={askingWords(call)} />
      </p>
    );
  }
  return (
    <>
      <ul class="outside-values" aria-label="What comes from outside">
        {outside.map(({ what, says, call_id }) => (
          <li key={what}>
            <ToneIcon tone="rejected" />
            <span>
              <b>
                <UntrustedText text={what} />
              </b>{" "}
              <UntrustedText text={says} />.{" "}
              {call_id !== undefined && goToCall && (
                <button type="button" class="link" onClick={(event) => goToCall(call_id, event.currentTarget)}>
                  See it <span class="unseen">where it stands</span>
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {inside !== "" && (
        <p class="hint">
          <UntrustedText text={inside} />
        </p>
      )}
    </>
  );
}

/** What of a call comes from outside; where there is any, refusing is the act at hand. */
export function outsideOf(
  { params, origins = [] }: Pick<ShownCall, "params" | "origins">,
  sources?: Readonly<Record<string, string>>,
): OriginSentence[] {
  return outsideSentences(params, origins, sources);
}
