"""A run of an earlier process, as its session's log has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

import purestep
from purestep import LogLines, PurestepError, decode_as, events, read_events, replay
from purestep_hosts.agents_below import TreeReader
from purestep_hosts.loop import Run
from purestep_hosts.sessions import Session

Ask = Callable[[Run, str], purestep.Step]
"""Sends a query to a run and runs it until its end."""

Give = Callable[[Run, purestep.Step], purestep.Step]
"""Gives a run that stands at a step the results that have come late, and runs it until its end."""


class StoppedRun(msgspec.Struct, frozen=True, kw_only=True):
    """The log of a run, and its query; the log is empty if the run died before its first append was whole."""

    log: str
    query: str
    definition: bytes

    @property
    def agent(self) -> purestep.Agent:
        """The agent of the run."""
        return purestep.Agent.load(self.definition)

    @property
    def found(self) -> purestep.Replayed | None:
        """Where the run stands, None if nothing is logged; raises PurestepError."""
        return replay(self.log) if self.log else None

    @property
    def outputs(self) -> Counter[tuple[str, ...]]:
        """How often the model of each agent was asked, by its path, so that a script continues at the right output."""
        reader = TreeReader()
        told = (reader.told(event) for _, event in read_events(self.log))
        return Counter(
            each.agents for each in told if isinstance(each.event, events.ModelResponse | events.ModelErrorEvent)
        )

    def resume(self, run: Run, ask: Ask, give: Give) -> purestep.Step:
        """Go on where the run was stopped, with what came late; with nothing logged, it begins with its query."""
        return give(run, run.resume(self.log)) if self.log else ask(run, self.query)

    def resume_and_ask(self, run: Run, query: str | None, ask: Ask, give: Give) -> purestep.Step:
        """Resume an unfinished exchange, then ask the query, if any, unless the resumed exchange failed."""
        was_open = self.found is None or not isinstance(self.found.decision, purestep.Done | purestep.Failed)
        step = self.resume(run, ask, give)
        if query is None or (was_open and isinstance(step.decision, purestep.Failed)):
            return step
        return ask(run, query)


def stopped_run(session: Session) -> StoppedRun:
    """Return the run of a session; what a crash left of its first append is removed. Raises SessionError."""
    log = session.text()
    if _is_unbegun(log):
        session.clear()
        log = ""
    definition = _logged_definition(log) if log else session.definition()
    return StoppedRun(log=log, query=session.info.query, definition=definition)


def _is_unbegun(log: str) -> bool:
    """Return whether a log ends before the user's message, which is appended together with the line before it."""
    lines = list(LogLines(log))
    return len(lines) == 0 or (len(lines) == 1 and _decoded(lines[0][1].decode()).get("kind") == "run_started")


def _logged_definition(log: str) -> bytes:
    replay(log)  # raises for a log that is no run of this version
    first = decode_as(log.split("\n", 1)[0], dict[str, msgspec.Raw])
    definition = bytes(first["agent"])
    if definition == b"null":
        raise PurestepError("invalid_log", "this run has no agent definition and cannot be resumed here")
    return definition


def _decoded(line: str) -> dict[str, Any]:
    return decode_as(line, dict[str, Any]) if line.strip() else {}
