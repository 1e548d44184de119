"""A session with its run: opens it, runs the agent in it, and shows the run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

import purestep
from purestep_hosts.agents_below import with_below
from purestep_hosts.cli import codes
from purestep_hosts.cli.chat_commands import answer
from purestep_hosts.cli.confirming import confirm_agent, confirm_session
from purestep_hosts.cli.error_report import InterruptedRun, UsageError
from purestep_hosts.cli.loading import confirmed_settings, loaded_model, models_below
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice, RunOptions
from purestep_hosts.cli.own_tools import own_tools
from purestep_hosts.cli.sent_along import SentAlong
from purestep_hosts.cli.skills import skill_places, skills_of, warn
from purestep_hosts.cli.stopped_run import StoppedRun, stopped_run
from purestep_hosts.cli.tool_owners import OwnTools
from purestep_hosts.cli.wiring import (
    agent_for,
    approver_for,
    known_specs,
    model_name,
    root_of,
    settings_for,
    tool_choice_for,
    toolbox_for,
)
from purestep_hosts.hidden_texts import hidden_words
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Ports, Run
from purestep_hosts.mask import Mask
from purestep_hosts.models.adapters import TAUGHT_NAME
from purestep_hosts.models.local_servers import LocalLook
from purestep_hosts.models.server_kinds import BY_NAME, LOOPBACK
from purestep_hosts.session_names import named_session, resuming, short_id
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
    from purestep_hosts.tools.toolbox import Toolbox

_DEMONSTRATION = """, a small demonstration model; for another one:
export OPENAI_API_KEY=YOUR_KEY
purestep --model openai:NAME QUESTION"""
"""The two lines that change it; `purestep models` has the others."""
_LISTED_TOOLS: Final = 4
_NO_OUTPUTS: Final[Mapping[tuple[str, ...], int]] = {}


class SessionRun:
    """A session with its run, which may have several exchanges."""

    def __init__(self, choice: AgentChoice, options: RunOptions, interrupts: Interrupts) -> None:
        self._choice = choice
        self._options = options
        self._interrupts = interrupts
        self._mask = Mask(known_secrets())
        answer = None if options.as_json else AnswerWriter(sys.stdout, live=options.stream)
        self.screen = Screen(stderr_printer(), answer, quiet=options.quiet, whole_reasoning=options.reasoning)
        self._store = SessionStore(options.sessions)
        self._tool_choice: purestep.ToolChoice | None = None
        self._sent_along: SentAlong | None = SentAlong(options)
        # Read once for each command, so that all of it sees the same skills.
        self._found = FoundSkills()
        self._functions: OwnTools | None = None
        self._servers = CommandServers()
        self._model: Model | None = None
        self._models_below: Mapping[tuple[str, ...], Model] = {}
        self._look: LocalLook | None = None
        self._is_named = False
        self._session: Session | None = None
        self._agent: purestep.Agent | None = None
        self._new_agent: purestep.Agent | None = None

    @contextmanager
    def new_run(self, query: str) -> Iterator[Run]:
        """Yield a new run in a new session; no model is asked yet."""
        agent = self.new_agent()
        self._tools(agent, self._store.root)  # raises before a session is created
        self._read_along()
        if self._choice.agent is not None and self._options.approve != "all":
            specs = [*known_specs(), *self._load_functions().specs()]
            confirm_agent(agent, specs, str(self._choice.agent), self._interrupts)
        if not self._options.quiet:
            warn(self._found)
        settings = confirmed_settings(self._choice, self._interrupts)
        model = self._loaded(settings, agent)
        session = self._store.create(
            query=hidden_words(agent, self._mask, query),
            agent_digest=agent.digest or "",
            definition=agent.source,
            model=model.name,
            root=root_of(self._choice),
            skills=skill_places(self._choice),
        )
        with session, self._run_in(session, agent, model, settings) as run:
            yield run

    def new_agent(self) -> purestep.Agent:
        """Return the agent of the options; raises for what is wrong in them, before anything is asked."""
        if self._new_agent is None:
            self._found = skills_of(self._choice)
            self._new_agent = agent_for(self._choice, self._found, self._load_functions())
        self._tool_choice = tool_choice_for(self._new_agent, self._options.tool_choice)
        return self._new_agent

    @contextmanager
    def existing_run(self, session_id: str) -> Iterator[tuple[Run, StoppedRun]]:
        """Yield the run of an existing session, and where it was stopped; it is not resumed yet."""
        if self._choice.max_cost is not None:
            raise UsageError("--max-cost goes with a new session; one that goes on has the limits that it began with")
        with self._store.open(named_session(self._store, session_id)) as session:
            stopped = stopped_run(session)
            agent = stopped.agent
            self._tool_choice = tool_choice_for(agent, self._options.tool_choice)
            is_own = self._check_owner(session, stopped, agent)
            if is_own and any(purestep.READ_SKILL in each.tools for each in with_below(agent)):
                self._remember_skills(session)
            if self._choice.root is None and session.info.root:
                # A call approved for one folder must not run in another.
                self._choice = replace(self._choice, root=Path(session.info.root))
            self._found = skills_of(self._choice)
            self._tell_of_another(agent)
            self._tools(agent, session.folder)
            self._read_along()
            settings = confirmed_settings(self._choice, self._interrupts)
            model = self._loaded(settings, agent, stopped.outputs)
            self.screen.count_earlier(stopped.log)
            with self._run_in(session, agent, model, settings) as run:
                yield run, stopped

    def _check_owner(self, session: Session, stopped: StoppedRun, agent: purestep.Agent) -> bool:
        """Have a person confirm a session that this user did not make here; returns whether it is the user's own."""
        is_own = session.info.is_own(session.folder) and session.info.agent_digest == agent.digest
        if not is_own and self._options.approve != "all":
            confirm_session(session.info, stopped.found, agent, self._interrupts)
        return is_own

    def _tell_of_another(self, agent: purestep.Agent) -> None:
        """Say that the definition of an agent file is not the one that a session goes on under."""
        if self._choice.agent is None:
            return
        if agent_for(self._choice, self._found, self._load_functions()).digest != agent.digest:
            name = one_line(str(self._choice.agent))
            self.screen.say(
                Row("note", f"the run goes on under its own definition, which is not that of {name}", "warning")
            )

    def _remember_skills(self, session: Session) -> None:
        """Use the folders of skills that the session was started with, and say so; only of the user's own session.

        Another's session would otherwise have the model read any folder of this machine that it names.
        """
        self._choice = replace(self._choice, remembered_skills=tuple(map(Path, session.info.skills)))
        if skill_places(self._choice) == self._choice.remembered_skills and not self._options.quiet:
            for place in session.info.skills:
                self.screen.say(Row("skills", f"from {one_line(place)}, as before", "quiet"))

    def _load_functions(self) -> OwnTools:
        """Return the functions and MCP tools of the options and the agent file, made once for each command."""
        if self._functions is None:
            is_confirmed = self._options.approve == "all"
            self._functions = own_tools(
                self._choice, self._servers, self._interrupts, self.screen.waiting, is_confirmed=is_confirmed
            )
        return self._functions

    def _read_along(self) -> None:
        """Read what the options have from MCP servers, before a session is created."""
        if self._sent_along is not None:
            along, servers = self._sent_along, self._servers.connected
            self._interrupts.run(lambda: along.read(servers))

    def close(self) -> None:
        """End the MCP servers."""
        self._servers.close()

    def _tools(self, agent: purestep.Agent, folder: Path) -> Toolbox:
        return toolbox_for(agent, self._choice, folder, self._found, self._load_functions())

    def _loaded(
        self, settings: Settings, agent: purestep.Agent, outputs_before: Mapping[tuple[str, ...], int] = _NO_OUTPUTS
    ) -> Model:
        if self._model is not None:
            return self._model
        # While the model is loaded, which takes longer.
        if (
            settings.kind == "built_in"
            and settings.chosen_by == "default"
            and self._choice.script is None
            and self._shows_terminal()
        ):
            self._look = LocalLook()
        with self.screen.waiting(f"loading {model_name(self._choice)}"):
            self._model = loaded_model(self._choice, settings, self._interrupts, agent, outputs_before)
            self._models_below = models_below(self._choice, agent, outputs_before)
        return self._model

    def _shows_terminal(self) -> bool:
        return not self._options.quiet and sys.stderr.isatty()

    def command(self, text: str) -> None:
        """Carry out a command of the chat that only shows something."""
        answer(text, self.screen, self._agent or self.new_agent(), self._session)

    def open_chat(self) -> None:
        """Show which model is asked, with which tools, and how to leave; nothing is loaded for it."""
        choice = self._choice
        settings = Settings(kind="built_in") if choice.script is not None else settings_for(choice)
        self._name_model(model_name(choice), settings)
        names = [one_line(name) for name in (self._agent or self.new_agent()).host_tools]
        listed = ", ".join(names[:_LISTED_TOOLS])
        more = f" and {len(names) - _LISTED_TOOLS} more" if len(names) > _LISTED_TOOLS else ""
        self.screen.say(Row("tools", f"{listed}{more}" if names else "none", "quiet"))
        self.screen.say(Row("chat", "/help lists the commands; Ctrl-D or /quit leaves", "quiet"))

    def _name_model(self, name: str, settings: Settings) -> None:
        if not self._is_named:
            self.screen.say(Row("model", model_text(name, settings), "quiet"))
            self._is_named = True

    def ask(self, run: Run, query: str, data: Sequence[purestep.DataText] = ()) -> purestep.Step:
        """Send a query with the tool choice of the command's options, and run it until its end.

        The files of the options go with the first one. data: texts that came along with it.
        """
        along, self._sent_along = self._sent_along, None
        files, texts = ((), ()) if along is None else (along.files, along.texts)
        return run.ask(query, self._tool_choice, files, (*data, *texts))

    def give_late(self, run: Run, step: purestep.Step) -> purestep.Step:
        """Give a run that stands at a step what has come late, and run it until its end."""
        results = self.late_results(run)
        return run.give(results) if results else step

    def late_results(self, run: Run) -> list[purestep.ToolResults]:
        """Return the results of a run's calls whose time has come, and of tasks of MCP servers that have ended.

        Of the other tasks a person is told.
        """
        if run.state is None or not (run.state.run.late or run.state.pending):
            return []
        from purestep_hosts.agents.late import due_results, late_calls, observed

        if not (open_calls := tuple(late_calls(run.state))):
            return []
        results = [*due_results(open_calls, run.ports.clock())]
        told: list[str] = []
        keep = run.ports.attachments.put
        if (servers := self._servers.connected) is not None:
            with self.screen.waiting("asking MCP servers for results"):
                results += self._interrupts.run(lambda: servers.late_results(open_calls, told.append, keep))
        for each in told:
            self.screen.say(Row("late", one_line(each)))
        return observed(results)

    def exchange(self, run: Run, go: Callable[[], purestep.Step], *, goes_on: bool = False) -> int:
        """Run one exchange and show how it ended; returns the exit code. goes_on: the next question may be typed."""
        self.screen.begin()
        step = go()
        resume = "" if goes_on else f"{self._resume(run.run_id)} QUERY"
        self.screen.end(step, short_id(self._store, run.run_id), resume)
        if isinstance(step.decision, purestep.Done) and step.decision.question and not goes_on:
            self.screen.say(Row("reply", f"{self._resume(run.run_id)} REPLY", "quiet"))
        if self._options.as_json:
            print(sanitized_json(_outcome(step, run.run_id, self.screen.counts)), flush=True)
        return exit_code(step.decision)

    def _resume(self, session: str) -> str:
        """Return the command that resumes a session."""
        return resuming(self._store, session)

    @contextmanager
    def _run_in(self, session: Session, agent: purestep.Agent, model: Model, settings: Settings) -> Iterator[Run]:
        screen = self.screen
        self._session, self._agent = session, agent
        self._name_model(model.name, settings)
        for server in () if self._look is None else self._look.found():
            name = server.models[0] if server.models else "NAME"
            place = f"{BY_NAME[server.kind].title} at {urlsplit(server.url).netloc}"
            screen.say(Row("found", one_line(f"{place}; --model {server.kind}:{name} asks it"), "quiet"))
        if settings.url is not None:
            screen.is_local = urlsplit(settings.url).hostname in LOOPBACK
        if settings.withheld is not None:
            source = settings.sources[settings.withheld]
            text = f"{settings.withheld} (from {source}) is not sent to a server that {settings.chosen_by} names"
            screen.say(Row("note", text, "warning"))
        tools = self._tools(agent, session.folder)
        tools.on_note = screen.on_note
        ports = Ports(
            model=model,
            tools=tools,
            approve=approver_for(self._options, screen, self._interrupts),
            log=session,
            watch=screen,
            interrupts=self._interrupts,
            mask=self._mask,
            attachments=session.attachments,
            models_below=self._models_below,
        )
        run = Run(agent, ports, session.info.id)
        try:
            yield run
        except (Exception, KeyboardInterrupt) as error:
            raise InterruptedRun(session.info.id, self._resume(session.info.id)) from error
        finally:
            self._session = self._agent = None
            screen.stop_waiting()


def model_text(name: str, settings: Settings) -> str:
    """Return which model is asked, where, and what chose it."""
    if name == TAUGHT_NAME:
        return f"{name}{_DEMONSTRATION}"
    place = f" at {one_line(settings.server)}" if settings.url is not None else ""
    shown = "the server's own" if settings.url is not None and name == "default" else one_line(name)
    return f"{shown}{place}{_chosen(settings)}"


def _chosen(settings: Settings) -> str:
    """Return what chose the server, in words; "" where the command did."""
    if settings.chosen_by == "flag" or not settings.chosen_name:
        return ""
    return f", chosen by {settings.chosen_name} ({settings.chosen_by})"


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
    if isinstance(decision, purestep.Done) and decision.question:
        outcome["question"] = True
    if isinstance(decision, purestep.Failed):
        outcome["failure"] = msgspec.to_builtins(decision)
        for name in ("type", "acts", "acts_left_out"):
            outcome["failure"].pop(name, None)
    if isinstance(decision, purestep.Done | purestep.Failed) and decision.acts is not UNSET:
        outcome["acts"] = msgspec.to_builtins(decision.acts)
        outcome |= {"acts_left_out": decision.acts_left_out} if decision.acts_left_out else {}
    return {
        **outcome,
        "session": session,
        "turns": counts.turns,
        "tool_calls": counts.calls.total(),
        "decided": counts.decided.total(),
        "usage": {
            "prompt_tokens": counts.prompt_tokens,
            "completion_tokens": counts.completion_tokens,
            "cached_tokens": counts.cached_tokens,
            "reasoning_tokens": counts.reasoning_tokens,
            "cost": counts.cost.known,
        },
        "head": step.state.head,
    }
