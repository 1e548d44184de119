"""The commands `run` and `chat`: opens a session, runs the agent in it, and shows the run."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

import purestep
from purestep_hosts.cli import codes
from purestep_hosts.cli.chat_commands import answer
from purestep_hosts.cli.confirming import confirm_agent, confirm_server, confirm_session
from purestep_hosts.cli.error_report import InterruptedRun, UsageError
from purestep_hosts.cli.functions import functions_of
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice, RunOptions
from purestep_hosts.cli.piped import with_piped
from purestep_hosts.cli.skills import skill_places, skills_of, warn
from purestep_hosts.cli.stopped_run import StoppedRun, stopped_run
from purestep_hosts.cli.wiring import (
    agent_for,
    approver_for,
    built_in_names,
    known_specs,
    model_file,
    model_for,
    model_name,
    root_of,
    settings_for,
    tool_choice_for,
    toolbox_for,
)
from purestep_hosts.extras import LOCAL
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Ports, Run
from purestep_hosts.mask import Mask
from purestep_hosts.sessions import Session, SessionStore
from purestep_hosts.settings import Settings, known_secrets
from purestep_hosts.show.answer_writer import AnswerWriter
from purestep_hosts.show.counts import Counts
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json
from purestep_hosts.show.screen import Screen
from purestep_hosts.skill_folders import FoundSkills

if TYPE_CHECKING:
    from purestep_hosts.models.model import Model
    from purestep_hosts.tools.tool import Tool
    from purestep_hosts.tools.toolbox import Toolbox


class SessionRun:
    """A session with its run, which may have several exchanges."""

    def __init__(self, choice: AgentChoice, options: RunOptions, interrupts: Interrupts) -> None:
        self._choice = choice
        self._options = options
        self._interrupts = interrupts
        self._mask = Mask(known_secrets())
        answer = None if options.as_json else AnswerWriter(sys.stdout, live=options.stream)
        self.screen = Screen(stderr_printer(), answer, quiet=options.quiet)
        self._store = SessionStore(options.sessions)
        self._tool_choice: purestep.ToolChoice | None = None
        # Read once for each command, so that all of it sees the same skills.
        self._found = FoundSkills()
        self._functions: tuple[Tool, ...] | None = None
        self._servers = CommandServers()
        self._model: Model | None = None
        self._session: Session | None = None
        self._agent: purestep.Agent | None = None

    @contextmanager
    def new_run(self, query: str) -> Iterator[Run]:
        """Yield a new run in a new session; no model is asked yet."""
        self._found = skills_of(self._choice)
        agent = agent_for(self._choice, self._found, self._load_functions())
        self._tool_choice = tool_choice_for(agent, self._options.tool_choice)
        self._tools(agent, self._store.root)  # raises before a session is created
        if self._choice.agent is not None and self._options.approve != "all":
            specs = [*known_specs(), *(tool.spec() for tool in self._load_functions())]
            confirm_agent(agent, specs, str(self._choice.agent), self._interrupts)
        if not self._options.quiet:
            warn(self._found)
        settings = self._settings()
        model = self._loaded(settings)
        session = self._store.create(
            query=self._mask.text(query),
            agent_digest=agent.digest or "",
            definition=agent.source,
            model=model.name,
            root=root_of(self._choice),
            skills=skill_places(self._choice),
        )
        with session, self._run_in(session, agent, model, settings) as run:
            yield run

    @contextmanager
    def existing_run(self, session_id: str) -> Iterator[tuple[Run, StoppedRun]]:
        """Yield the run of an existing session, and where it was stopped; it is not resumed yet."""
        with self._store.open(session_id) as session:
            stopped = stopped_run(session)
            agent = stopped.agent
            self._tool_choice = tool_choice_for(agent, self._options.tool_choice)
            is_own = self._check_owner(session, stopped, agent)
            if is_own and purestep.READ_SKILL in agent.tools:
                self._remember_skills(session)
            if self._choice.root is None and session.info.root:
                # A call approved for one folder must not run in another.
                self._choice = replace(self._choice, root=Path(session.info.root))
            self._found = skills_of(self._choice)
            self._tools(agent, session.folder)
            settings = self._settings()
            model = self._loaded(settings, stopped.outputs)
            self.screen.count_earlier(stopped.log)
            with self._run_in(session, agent, model, settings) as run:
                yield run, stopped

    def _check_owner(self, session: Session, stopped: StoppedRun, agent: purestep.Agent) -> bool:
        """Have a person confirm a session that this user did not make here; returns whether it is the user's own."""
        is_own = session.info.is_own(session.folder) and session.info.agent_digest == agent.digest
        if not is_own and self._options.approve != "all":
            confirm_session(session.info, stopped.found, agent, self._interrupts)
        return is_own

    def _remember_skills(self, session: Session) -> None:
        """Use the folders of skills that the session was started with, and say so; only of the user's own session.

        Another's session would otherwise have the model read any folder of this machine that it names.
        """
        self._choice = replace(self._choice, remembered_skills=tuple(map(Path, session.info.skills)))
        if skill_places(self._choice) == self._choice.remembered_skills and not self._options.quiet:
            for place in session.info.skills:
                self.screen.say(Row("skills", f"from {one_line(place)}, as before", "quiet"))

    def _load_functions(self) -> tuple[Tool, ...]:
        """Return the functions and MCP tools of the options and the agent file, made once for each command."""
        if self._functions is None:
            is_confirmed = self._options.approve == "all"
            names = built_in_names()
            functions = functions_of(self._choice, self._interrupts, names, is_confirmed=is_confirmed)
            self._servers.connect(self._choice, self._interrupts, self._waiting, asks=not is_confirmed)
            self._functions = (*functions, *self._servers.tools)
        return self._functions

    def close(self) -> None:
        """End the MCP servers."""
        self._servers.close()

    def _tools(self, agent: purestep.Agent, folder: Path) -> Toolbox:
        return toolbox_for(agent, self._choice, folder, self._found, self._load_functions())

    def _settings(self) -> Settings:
        """Return which model is used, after a person has confirmed a server that the folder names."""
        if self._choice.script is not None:
            return Settings(kind="built_in")
        settings = settings_for(self._choice)
        confirm_server(settings, Path.cwd(), self._interrupts)
        return settings

    def _loaded(self, settings: Settings, outputs_before: int = 0) -> Model:
        if self._model is not None:
            return self._model
        with self._waiting(f"loading {model_name(self._choice)}"):
            if self._choice.script is None and settings.url is None:
                LOCAL.require()  # before 98 MB are fetched for nothing
                # Fetching the default model runs another program, which ends with this block.
                with self._interrupts.raising():
                    settings = replace(settings, model_path=model_file(settings))
            # In a thread: loading blocks for seconds, and Ctrl-C has to reach the main one.
            self._model = self._interrupts.run(lambda: model_for(self._choice, settings, outputs_before))
        return self._model

    def command(self, text: str) -> None:
        """Carry out a command of the chat that only shows something."""
        found = self._session
        agent = self._agent or agent_for(self._choice, skills_of(self._choice), self._load_functions())
        answer(text, self.screen, agent, found)

    def ask(self, run: Run, query: str) -> purestep.Step:
        """Send a query with the tool choice of the command's options, and run it until its end."""
        return run.ask(query, self._tool_choice)

    def exchange(self, run: Run, go: Callable[[], purestep.Step]) -> int:
        """Run one exchange and show how it ended; returns the exit code."""
        self.screen.begin()
        step = go()
        self.screen.end(step)
        if isinstance(step.decision, purestep.Failed):
            self.screen.printer.row(Row("resume", f"{self._resume(run.run_id)} QUERY", "quiet"))
        if self._options.as_json:
            print(sanitized_json(_outcome(step, run.run_id, self.screen.counts)), flush=True)
        return exit_code(step.decision)

    def _resume(self, session: str) -> str:
        """Return the command that resumes a session."""
        folder = self._options.sessions
        where = f" --sessions {shlex.quote(str(folder))}" if folder else ""
        return f"purestep run --resume {session}{where}"

    @contextmanager
    def _run_in(self, session: Session, agent: purestep.Agent, model: Model, settings: Settings) -> Iterator[Run]:
        screen = self.screen
        self._session, self._agent = session, agent
        screen.say(Row("session", f"{session.info.id}, {one_line(model.name)}", "quiet"))
        if settings.url is not None:
            screen.say(Row("server", f"{one_line(settings.server)} (from {settings.chosen_by})", "quiet"))
        if settings.withheld is not None:
            source = settings.sources[settings.withheld]
            text = f"{settings.withheld} (from {source}) is not sent to a server that {settings.chosen_by} names"
            screen.say(Row("note", text, "warning"))
        ports = Ports(
            model=model,
            tools=self._tools(agent, session.folder),
            approve=approver_for(self._options, screen, self._interrupts),
            log=session,
            watch=screen,
            interrupts=self._interrupts,
            mask=self._mask,
        )
        run = Run(agent, ports, session.info.id)
        try:
            yield run
        except (Exception, KeyboardInterrupt) as error:
            raise InterruptedRun(session.info.id, self._resume(session.info.id)) from error
        finally:
            screen.stop_waiting()

    @contextmanager
    def _waiting(self, what: str) -> Iterator[None]:
        self.screen.wait(what)
        try:
            yield
        finally:
            self.screen.stop_waiting()


def run_once(query: str | None, choice: AgentChoice, options: RunOptions) -> int:
    """Run one query, or resume a session; returns the exit code."""
    if options.resume is None:
        if query is None:
            raise UsageError("a QUERY is missing; give one, or - to read it from stdin")
        text = given_query(query)
        with Interrupts() as interrupts:
            if query != "-":
                text, choice = with_piped(text, choice, interrupts)
            with closing(SessionRun(choice, options, interrupts)) as session_run, session_run.new_run(text) as run:
                return session_run.exchange(run, lambda: session_run.ask(run, text))
    follow_up = None if query is None else given_query(query)
    with (
        Interrupts() as interrupts,
        closing(SessionRun(choice, options, interrupts)) as session_run,
        session_run.existing_run(options.resume) as (run, stopped),
    ):
        return session_run.exchange(run, lambda: stopped.resume_and_ask(run, follow_up, session_run.ask))


def given_query(query: str) -> str:
    """Return the query, read from stdin for `-`; raises UsageError if it is empty or not UTF-8."""
    text = stdin_text() if query == "-" else query
    if not text.strip():
        raise UsageError("the query is empty; give the words to send to the agent")
    return text.removesuffix("\n")


def stdin_text() -> str:
    """Return all of stdin; raises UsageError if it is not UTF-8."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1}"
        raise UsageError(f"stdin is not UTF-8 ({where}); convert it, for instance with iconv") from None


def exit_code(decision: purestep.Decision) -> int:
    """Return the exit code of a decision that ends an exchange."""
    return codes.OF_FAILURE.get(decision.code, codes.FAILED) if isinstance(decision, purestep.Failed) else codes.DONE


def _outcome(step: purestep.Step, session: str, counts: Counts) -> dict[str, Any]:
    """Return the result of an exchange as the object that --json prints."""
    decision = step.decision
    done = isinstance(decision, purestep.Done)
    outcome: dict[str, Any] = {"ok": done, "answer": decision.answer if isinstance(decision, purestep.Done) else None}
    if isinstance(decision, purestep.Done) and decision.data is not UNSET:
        outcome["data"] = decision.data
    if isinstance(decision, purestep.Done) and decision.citations:
        outcome["citations"] = msgspec.to_builtins(decision.citations)
    if isinstance(decision, purestep.Failed):
        outcome["failure"] = msgspec.to_builtins(decision)
        del outcome["failure"]["type"]
    return {
        **outcome,
        "session": session,
        "turns": counts.turns,
        "tool_calls": counts.calls.total(),
        "decided": counts.decided.total(),
        "usage": {"prompt_tokens": counts.prompt_tokens, "completion_tokens": counts.completion_tokens},
        "head": step.state.head,
    }
