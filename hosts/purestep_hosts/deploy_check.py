"""Another definition for the runs that are under way: which of them it leaves as they are, and which not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

import purestep
from purestep import Agent, Change, Done, Failed, PurestepError, check_change, events, read_events
from purestep_hosts.agents.late import late_calls
from purestep_hosts.sessions import SessionError, SessionStore

_ENDS: Final = ("final_answer", "run_failed")
"""The lines that end an exchange, whose logs need not be replayed, unless calls of them go on elsewhere."""
_ELSEWHERE: Final = '"kind":"tool_pending"'


class StoredLog(NamedTuple):
    """The log of a run, and its id."""

    run: str
    log: str


class CheckedRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run under way, and what becomes of it; `problem` instead says why that cannot be told."""

    run: str
    change: Change | None = None
    problem: str | None = None

    @property
    def is_stranded(self) -> bool:
        """Whether the run cannot go on under the definition, or fails by it, at once or after its calls."""
        return self.change is None or self.change.code is not None


def logs_in(folder: Path) -> Iterator[StoredLog]:
    """Yield the logs of the sessions in a folder, and in those of its users."""
    places = [folder]
    with suppress(OSError):
        places += sorted(each for each in folder.iterdir() if each.is_dir() and not (each / "log.jsonl").exists())
    for place in places:
        store = SessionStore(place)
        for run_id in store.ids():
            with suppress(SessionError):  # damaged: who goes on with it is told
                yield StoredLog(run_id, store.read(run_id).text)


def checked_runs(logs: Iterable[StoredLog], agent: Agent, living: frozenset[str] = frozenset()) -> Iterator[CheckedRun]:
    """Yield what becomes of each run under way that has another definition than this agent.

    living: the digests of agents whose runs others go on with.
    """
    for each in logs:
        if each.log and _may_be_under_way(each.log):
            try:
                found = purestep.replay(each.log)
                is_over = isinstance(found.decision, Done | Failed) and not any(late_calls(found.state))
                if is_over or agent.among(found.state.agent) is not None:
                    continue
                before = _agent_of(each.log)
                if before is None or before.digest not in living:
                    yield CheckedRun(run=each.run, change=check_change(found.state, before, agent))
            except PurestepError as error:
                yield CheckedRun(run=each.run, problem=f"{error.code}: {error.message}")


def _may_be_under_way(log: str) -> bool:
    """Whether a log may be one of a run under way, by its last line: most runs have ended."""
    try:
        last = json.loads(log[log.rstrip("\n").rfind("\n") + 1 :])
    except (ValueError, RecursionError):
        return True  # what is wrong with it is told by who replays it
    return not isinstance(last, dict) or last.get("kind") not in _ENDS or _ELSEWHERE in log


def _agent_of(log: str) -> Agent | None:
    """Return the definition that the host gave a run last; None for the bare form."""
    found: msgspec.Raw | None = None
    for _, event in read_events(log):
        if isinstance(event, events.RunStarted | events.AgentChangedEvent) and event.agent:
            found = event.agent
    source = b"null" if found is None else bytes(found)
    return None if source == b"null" else Agent.load(source)
