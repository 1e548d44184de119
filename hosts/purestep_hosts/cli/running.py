"""The commands `run` and `chat`: a session, a run in it, and what is shown of it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

import purestep
from purestep import replay
from purestep_hosts.cli import codes
from purestep_hosts.cli.complaint import Unfinished, UsageProblem
from purestep_hosts.cli.options import AgentChoice, RunOptions
from purestep_hosts.cli.wiring import agent_for, approver_for, model_for, model_name, root_of, toolbox_for
from purestep_hosts.loop import Ports, Run
from purestep_hosts.sessions import Session, SessionStore
from purestep_hosts.show.answer import Answer
from purestep_hosts.show.page import talk
from purestep_hosts.show.rows import Row
from purestep_hosts.show.safe import one_line, safe_json
from purestep_hosts.show.screen import Screen

_QUIT = ("/quit", "/exit")


class SessionRun:
    """One run of one session, with everything that it needs; may hold several exchanges."""

    def __init__(self, choice: AgentChoice, options: RunOptions) -> None:
        self._choice = choice
        self._options = options
        answer = None if options.as_json else Answer(sys.stdout, live=options.stream)
        self.screen = Screen(talk(), answer, quiet=options.quiet)
        self._store = SessionStore(options.sessions)

    @contextmanager
    def begun(self, query: str) -> Iterator[Run]:
        """Give a new run in a new session; nothing is asked yet."""
        agent = agent_for(self._choice)
        toolbox_for(agent, self._choice, self._store.root)  # refuses before a session is made
        with self._waiting(f"loading {model_name(self._choice)}"):
            model = model_for(self._choice)
        session = self._store.create(
            query=query, agent_digest=agent.digest or "", model=model.name, root=root_of(self._choice)
        )
        with session, self._told(session, agent, model) as run:
            yield run

    @contextmanager
    def taken_up(self, session_id: str) -> Iterator[tuple[Run, str]]:
        """Give the run of a session and its log; nothing is carried on yet."""
        with self._store.open(session_id) as session:
            log = session.text()
            found = replay(log)
            agent = purestep.Agent.load(_definition(log)) if found.state.agent else None
            if agent is None:
                raise UsageProblem(f"session {session_id} has no agent definition and cannot be resumed")
            if self._choice.root is None and session.info.root:
                # An approval for one folder must not be carried out in another.
                self._choice = replace(self._choice, root=Path(session.info.root))
            toolbox_for(agent, self._choice, session.folder)
            with self._waiting(f"loading {model_name(self._choice)}"):
                model = model_for(self._choice, _outputs(log))
            with self._told(session, agent, model) as run:
                yield run, log

    def exchange(self, run: Run, go: Callable[[], purestep.Step]) -> int:
        """Carry an exchange out and show how it ended; gives the exit code."""
        self.screen.begin()
        step = go()
        self.screen.end(step)
        if isinstance(step.decision, purestep.Failed):
            self.screen.page.row(Row("resume", f"{self._resume(run.run_id)} QUERY", "quiet"))
        if self._options.as_json:
            print(safe_json(_outcome(step, run.run_id)), flush=True)
        return exit_code(step.decision)

    def _resume(self, session: str) -> str:
        """Return the command that goes on with a session."""
        folder = self._options.sessions
        where = f" --sessions {shlex.quote(str(folder))}" if folder else ""
        return f"purestep run --resume {session}{where}"

    @contextmanager
    def _told(self, session: Session, agent: purestep.Agent, model: Any) -> Iterator[Run]:
        screen = self.screen
        screen.say(Row("session", f"{session.info.id}, {one_line(model.name)}", "quiet"))
        ports = Ports(
            model=model,
            tools=toolbox_for(agent, self._choice, session.folder),
            approve=approver_for(self._options, screen),
            log=session,
            watch=screen,
        )
        run = Run(agent, ports, session.info.id)
        try:
            yield run
        except (Exception, KeyboardInterrupt) as error:
            raise Unfinished(session.info.id, self._resume(session.info.id)) from error
        finally:
            screen.rest()

    @contextmanager
    def _waiting(self, what: str) -> Iterator[None]:
        self.screen.wait(what)
        try:
            yield
        finally:
            self.screen.rest()


def run_once(query: str | None, choice: AgentChoice, options: RunOptions) -> int:
    """Carry out one query, or go on with a session; gives the exit code."""
    session_run = SessionRun(choice, options)
    if options.resume is None:
        if query is None:
            raise UsageProblem("a QUERY is missing; give one, or - to read it from stdin")
        text = given_query(query)
        with session_run.begun(text) as run:
            return session_run.exchange(run, lambda: run.ask(text))
    follow_up = None if query is None else given_query(query)
    with session_run.taken_up(options.resume) as (run, log):
        return session_run.exchange(run, lambda: _carried_on(run, log, follow_up))


def _carried_on(run: Run, log: str, query: str | None) -> purestep.Step:
    """Finish what is open; then, unless that failed anew, ask the query if there is one."""
    was_open = not isinstance(replay(log).decision, purestep.Done | purestep.Failed)
    step = run.resume(log)
    if query is None or (was_open and isinstance(step.decision, purestep.Failed)):
        return step
    return run.ask(query)


def given_query(query: str) -> str:
    """Return the query, read from stdin for `-`; raises UsageProblem for one that is empty or no UTF-8."""
    text = _stdin_text() if query == "-" else query
    if not text.strip():
        raise UsageProblem("the query is empty; give the words to send to the agent")
    return text.removesuffix("\n")


def _stdin_text() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1}"
        raise UsageProblem(f"stdin is not UTF-8 ({where}); convert it, for instance with iconv") from None


def chat(choice: AgentChoice, options: RunOptions) -> int:
    """Talk until the end of input; gives 0 at a terminal, else the exit code of the last exchange."""
    session_run = SessionRun(choice, options)
    lines = typed_lines(session_run.screen) if sys.stdin.isatty() else piped_lines()
    if options.resume is not None:
        with session_run.taken_up(options.resume) as (run, log):
            code = session_run.exchange(run, lambda: run.resume(log))
            return _exchanges(session_run, run, lines, code)
    first = next(lines, None)
    if first is None:
        return codes.DONE
    with session_run.begun(first) as run:
        code = session_run.exchange(run, lambda: run.ask(first))
        return _exchanges(session_run, run, lines, code)


def _exchanges(session_run: SessionRun, run: Run, lines: Iterator[str], code: int) -> int:
    for line in lines:
        code = session_run.exchange(run, lambda query=line: run.ask(query))  # type: ignore[misc]
    return codes.DONE if sys.stdin.isatty() else code


def piped_lines() -> Iterator[str]:
    """Yield the queries of a stdin that is no terminal, one a line, blank ones left out."""
    while line := sys.stdin.buffer.readline():
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise UsageProblem("a line of stdin is not UTF-8; convert it, for instance with iconv") from None
        if text in _QUIT:
            return
        if text:
            yield text


def typed_lines(screen: Screen) -> Iterator[str]:
    """Yield what a person types; Ctrl-D or /quit ends, Ctrl-C drops the line."""
    import readline  # noqa: F401 (gives input() its line editing)

    screen.say(Row("chat", "Ctrl-D or /quit ends", "quiet"))
    while True:
        try:
            text = input("> ").strip()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            continue
        except EOFError:
            print(file=sys.stderr)
            return
        if text in _QUIT:
            return
        if text:
            yield text


def exit_code(decision: purestep.Decision) -> int:
    """Return the exit code of a decision that ends an exchange."""
    return codes.OF_FAILURE.get(decision.code, codes.FAILED) if isinstance(decision, purestep.Failed) else codes.DONE


def _outcome(step: purestep.Step, session: str) -> dict[str, Any]:
    """Return an exchange's end as the one object that --json prints."""
    state, decision = step.state, step.decision
    done = isinstance(decision, purestep.Done)
    outcome: dict[str, Any] = {"ok": done, "answer": decision.answer if isinstance(decision, purestep.Done) else None}
    if isinstance(decision, purestep.Done) and decision.data is not UNSET:
        outcome["data"] = decision.data
    if isinstance(decision, purestep.Failed):
        outcome["failure"] = msgspec.to_builtins(decision)
        del outcome["failure"]["type"]
    return {
        **outcome,
        "session": session,
        "turns": state.turns,
        "tool_calls": state.tool_calls,
        "usage": {"prompt_tokens": state.input_tokens, "completion_tokens": state.output_tokens},
        "head": state.head,
    }


def _definition(log: str) -> bytes:
    first = msgspec.json.decode(log.split("\n", 1)[0], type=dict[str, msgspec.Raw])
    return bytes(first["agent"])


def _outputs(log: str) -> int:
    """Return how often a model was asked already, for a script to go on where it was."""
    kinds = (msgspec.json.decode(line, type=dict[str, Any])["kind"] for line in log.split("\n") if line.strip())
    return sum(kind in ("model_response", "model_error") for kind in kinds)
