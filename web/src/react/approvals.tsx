"use client";
/** Asks a person about the calls that wait: what will run, whose text is in it, and what it may be instead. */
import { useEffect, useId, useRef, useState } from "react";
import type { AskedCall } from "../agent/ports.js";
import { parseVerbatim, writeExactly } from "../exact_numbers.js";
import type { ArgumentOrigin } from "../generated/wire.js";
import { sanitizedJson } from "../sanitize.js";
import { type ChatWords, useWords } from "./chat_words.js";
import { placedName, ToldText, wholeText } from "./told_text.js";
import type { AgentActions } from "./use_agent.js";

/** How long after a card appears nothing is approved: a double click or a held key meant what stood there before. */
const GUARD_MS = 500;

export interface ApprovalsProps {
  /** As those of `useAgent`; what their promise gives is not looked at. */
  readonly approve: (...given: Parameters<AgentActions["approve"]>) => Promise<unknown>;
  readonly refuse: (...given: Parameters<AgentActions["refuse"]>) => Promise<unknown>;
  /** The calls of a snapshot that wait. */
  readonly approvals: readonly AskedCall[];
  /** Who answers, for the log. */
  readonly by?: string | undefined;
}

/** Shows a card with every call that waits; nothing where none does. */
export function Approvals({ approvals, approve, refuse, by }: ApprovalsProps) {
  const words = useWords();
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const who = by === undefined ? {} : { by };
  const decided = (answer: Promise<unknown>): void => {
    place.current?.focus(); // the button that had it is gone
    void answer;
  };
  return (
    <div aria-live="polite" tabIndex={-1} ref={place}>
      {approvals.length > 0 && (
        <section className="purestep-approvals" aria-labelledby={id}>
          <h3 id={id}>{words.mayRun(approvals.length)}</h3>
          {approvals.map((call) => (
            <Question
              key={call.key}
              call={call}
              approve={(params) => decided(approve(call, { ...(params && { params }), ...who }))}
              refuse={(reason) => decided(refuse(call, reason || undefined, who))}
            />
          ))}
        </section>
      )}
    </div>
  );
}

interface QuestionProps {
  call: AskedCall;
  approve: (params: Record<string, unknown> | undefined) => void;
  refuse: (reason: string) => void;
}

function Question({ call, approve, refuse }: QuestionProps) {
  const words = useWords();
  const id = useId();
  const guarded = useGuard();
  const [draft, setDraft] = useState<string>();
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const strong = hasOutsideText(call) ? "refuse" : "approve";
  const run = (): void => {
    if (guarded) return;
    const params = draft === undefined ? undefined : objectOf(draft);
    if (params === null) setProblem(words.unreadable);
    else approve(params);
  };
  return (
    <div className="purestep-question" role="group" aria-labelledby={`${id}-tool`}>
      <p>
        <code id={`${id}-tool`}>
          <ToldText text={placedName(call.tool, call.path)} />
        </code>
      </p>
      <p className="purestep-reason">
        <ToldText text={call.note || (words.asking[call.reason] ?? call.reason)} />
      </p>
      <ArgumentField id={id} call={call} draft={draft} setDraft={setDraft} />
      {problem !== "" && <p role="alert">{problem}</p>}
      <label htmlFor={`${id}-reason`}>{words.reason}</label>
      <input id={`${id}-reason`} value={reason} autoComplete="off" onChange={({ target }) => setReason(target.value)} />
      <p className="purestep-buttons">
        <button type="button" data-strong={strong === "refuse"} onClick={() => refuse(reason.trim())}>
          {words.refuse}
        </button>
        <button type="button" data-strong={strong === "approve"} aria-disabled={guarded} onClick={run}>
          {words.approve}
        </button>
      </p>
    </div>
  );
}

interface ArgumentFieldProps {
  id: string;
  call: AskedCall;
  draft: string | undefined;
  setDraft: (draft: string) => void;
}

/** All arguments, none cut off, each with whose text it is; or a field to edit them in. */
function ArgumentField({ id, call, draft, setDraft }: ArgumentFieldProps) {
  const words = useWords();
  if (draft === undefined)
    return (
      <>
        <Arguments call={call} />
        <button type="button" className="purestep-edit" onClick={() => setDraft(sanitizedJson(call.params_json))}>
          {words.edit}
        </button>
      </>
    );
  return (
    <>
      <label htmlFor={`${id}-arguments`}>{words.arguments}</label>
      <textarea
        id={`${id}-arguments`}
        value={draft}
        rows={4}
        spellCheck={false}
        onChange={({ target }) => setDraft(target.value)}
      />
    </>
  );
}

function Arguments({ call: { params_json, origins = [] } }: { call: AskedCall }) {
  const words = useWords();
  const named = Object.entries(parseVerbatim(params_json) as Record<string, unknown>);
  const ofCall = origins.filter(({ path }) => path === "");
  return (
    <dl aria-label={words.arguments}>
      {named.map(([name, value]) => (
        <div key={name}>
          <dt>
            <ToldText text={name} />
          </dt>
          <dd>
            <ToldText text={argumentText(value)} />
            <Origins origins={origins.filter(({ path }) => isOf(path, name))} />
          </dd>
        </div>
      ))}
      {ofCall.length > 0 && (
        <div>
          <dt>{words.wholeCall}</dt>
          <dd>
            <Origins origins={ofCall} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Origins({ origins }: { origins: readonly ArgumentOrigin[] }) {
  const words = useWords();
  const said = new Set(origins.map((origin) => originText(origin, words)));
  return [...said].map((text) => (
    <small key={text} data-outside={origins.some((origin) => isOutside(origin) && originText(origin, words) === text)}>
      <ToldText text={text} />
    </small>
  ));
}

/** Returns a text as it is, quoted where it would be read as a number or another value. */
function argumentText(value: unknown): string {
  const text = wholeText(value);
  return typeof value === "string" && isJson(text) ? writeExactly(value) : text;
}

function isJson(text: string): boolean {
  try {
    parseVerbatim(text);
    return true;
  } catch {
    return text.trim() === "";
  }
}

/** Whether a JSON Pointer leads to the argument or into it. */
function isOf(path: string, name: string): boolean {
  const start = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return path === start || path.startsWith(`${start}/`);
}

function originText(origin: ArgumentOrigin, { origins, outside }: ChatWords): string {
  const words = isOutside(origin) ? outside : origins;
  return origin.source === "result" ? words.result(origin.tool ?? "") : words[origin.source];
}

function hasOutsideText({ origins = [] }: AskedCall): boolean {
  return origins.some(isOutside);
}

/** Text with labels is none that the page's own people or tools vouch for. */
function isOutside({ labels = [] }: ArgumentOrigin): boolean {
  return labels.length > 0;
}

/** Returns the object that a text says with all its digits, or null for any other text. */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseVerbatim(text);
    return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function useGuard(): boolean {
  const [guarded, setGuarded] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS);
    return () => clearTimeout(timer);
  }, []);
  return guarded;
}
