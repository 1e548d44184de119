/** The page of `purestep serve`: the runs, what waits for a person, and one run step by step. */
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { render } from "preact/compat";
import { Approvals } from "../src/react/approvals.js";
import { Timeline } from "../src/react/timeline.js";
import { ToldText } from "../src/react/told_text.js";
import { type AnsweredCall, Refused, type Run, type RunEntry, Service } from "./service.js";
import { type Steps, stepsOf } from "./steps.js";

const EVERY_MS = 2000;

function Page() {
  const [service, setService] = useState<Service>();
  const [problem, setProblem] = useState("");
  const enter = useCallback(async (token: string): Promise<void> => {
    const found = new Service(token);
    try {
      await found.runs(null);
      setService(found);
    } catch (error) {
      if (token !== "" || !(error instanceof Refused) || error.code !== "unauthorized") setProblem(messageOf(error));
    }
  }, []);
  useEffect(() => void enter(""), [enter]); // a service for this machine alone has no token
  return service === undefined ? <Entry enter={enter} problem={problem} /> : <Runs service={service} />;
}

function Entry({ enter, problem }: { enter: (token: string) => Promise<void>; problem: string }) {
  const [token, setToken] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void enter(token.trim());
  };
  return (
    <main className="entry">
      <h1>Runs</h1>
      <form onSubmit={submit}>
        <label htmlFor="token">Token of the service</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit">Show the runs</button>
        <p role="alert">{problem}</p>
      </form>
    </main>
  );
}

/** Calls a function now and every few seconds, while the page is looked at. */
function useRepeated(work: () => Promise<void>): void {
  useEffect(() => {
    let timer = 0;
    let ended = false;
    const again = async (): Promise<void> => {
      if (!document.hidden) await work();
      if (!ended) timer = window.setTimeout(() => void again(), EVERY_MS);
    };
    void again();
    return () => {
      ended = true;
      window.clearTimeout(timer);
    };
  }, [work]);
}

function Runs({ service }: { service: Service }) {
  const [runs, setRuns] = useState<RunEntry[]>();
  const [chosen, setChosen] = useState<string>();
  const [problem, setProblem] = useState("");
  const look = useCallback(async () => {
    try {
      setRuns((await service.runs(null)).runs);
      setProblem("");
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [service]);
  useRepeated(look);
  const waiting = (runs ?? []).filter(({ status }) => status === "waiting");
  const entry = runs?.find(({ run }) => run === chosen);
  return (
    <main className="runs" data-chosen={chosen !== undefined}>
      <nav aria-label="Runs">
        <h1>Runs</h1>
        <p role="alert">{problem}</p>
        <h2>
          Waiting for a person <span className="count">{waiting.length}</span>
        </h2>
        <RunList runs={waiting} chosen={chosen} choose={setChosen} none="Nothing waits." />
        <h2>Newest</h2>
        <RunList
          runs={runs ?? []}
          chosen={chosen}
          choose={setChosen}
          none={runs === undefined ? "Loading" : "There is no run yet."}
        />
      </nav>
      {chosen === undefined ? (
        <p className="hint">Choose a run.</p>
      ) : (
        <OneRun key={chosen} service={service} id={chosen} entry={entry} back={() => setChosen(undefined)} />
      )}
    </main>
  );
}

interface RunListProps {
  runs: readonly RunEntry[];
  chosen: string | undefined;
  choose: (run: string) => void;
  none: string;
}

function RunList({ runs, chosen, choose, none }: RunListProps) {
  if (runs.length === 0) return <p className="quiet">{none}</p>;
  return (
    <ul>
      {runs.map(({ run, query, status, created_ms, problem }) => (
        <li key={run}>
          <button type="button" aria-current={run === chosen} onClick={() => choose(run)}>
            <span className="query">
              <ToldText text={query || problem || run} />
            </span>
            <span className="quiet">
              <Status status={status ?? "damaged"} /> {created_ms ? timeOf(Number(created_ms)) : ""}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Status({ status }: { status: string }) {
  return (
    <span className="status" data-status={status}>
      {status}
    </span>
  );
}

interface OneRunProps {
  service: Service;
  id: string;
  entry: RunEntry | undefined;
  back: () => void;
}

function OneRun({ service, id, entry, back }: OneRunProps) {
  const [run, setRun] = useState<Run>();
  const [steps, setSteps] = useState<Steps>();
  const [problem, setProblem] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const look = useCallback(async () => {
    try {
      const [found, log] = await Promise.all([service.run(id), service.log(id)]);
      setRun(found);
      setSteps(stepsOf(log));
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [service, id]);
  useRepeated(look);
  const answer = async (call: AnsweredCall, given: Record<string, unknown>): Promise<void> => {
    setProblem("");
    setRun((before) => before && { ...before, approvals: before.approvals.filter(({ key }) => key !== call.key) });
    try {
      await service.answer(id, { call_id: call.call_id, key: call.key, ...given });
    } catch (error) {
      setProblem(messageOf(error));
    }
    await look();
  };
  return (
    <article>
      <h1 className="back">
        <button type="button" onClick={back}>
          All runs
        </button>
      </h1>
      <h2 tabIndex={-1} ref={heading}>
        <ToldText text={entry?.query || id} />
      </h2>
      <p className="quiet">
        <Status status={run?.status ?? "loading"} /> <code>{id}</code>
      </p>
      <p role="alert">{problem}</p>
      <Approvals
        approvals={run?.approvals ?? []}
        approve={(call, { params } = {}) => answer(call, { approved: true, ...(params && { params }) })}
        refuse={(call, reason) => answer(call, { approved: false, ...(reason && { reason }) })}
      />
      {run?.answer !== undefined && (
        <section aria-label="Answer" className="answer">
          <ToldText text={run.answer} />
        </section>
      )}
      {run?.failure && (
        <section aria-label="Failure" className="failure">
          <code>{run.failure.code}</code> <ToldText text={run.failure.message} />
        </section>
      )}
      <h3>Calls</h3>
      {steps?.calls.length === 0 ? (
        <p className="quiet">There was no call.</p>
      ) : (
        <Timeline items={steps?.calls ?? []} />
      )}
      <h3>Timeline</h3>
      <Lines steps={steps} />
    </article>
  );
}

function Lines({ steps }: { steps: Steps | undefined }) {
  const first = steps?.lines.find(({ at }) => at !== undefined)?.at;
  return (
    <ol className="lines">
      {(steps?.lines ?? []).map(({ seq, at, kind, words }) => (
        <li key={seq}>
          <span className="quiet">
            {at === undefined || first === undefined ? "" : `${((at - first) / 1000).toFixed(2)} s`}
          </span>{" "}
          <code>{kind}</code>{" "}
          <span className="words">
            <ToldText text={words} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function timeOf(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const place = document.getElementById("page");
if (place !== null) render(<Page />, place);
