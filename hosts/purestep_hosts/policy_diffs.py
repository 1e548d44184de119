"""Logs compared with another definition, on several processes: what it would have decided otherwise, and how often."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec

from purestep import ChangedMove, Move, PolicyDiff, PurestepError, policy_diff, verify
from purestep_hosts.on_processes import on_processes
from purestep_hosts.redriven_text import log_paths

_AT_ONCE: Final = 8
"""Logs that are given to a process together: less than that costs more to hand over than to compare."""
_FEW: Final = 32
"""So many logs are compared sooner than another process has started."""


class LogSource(Protocol):
    """A log that is read where it is compared, maybe in another process."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def data(self) -> bytes:
        """Its bytes; raises OSError where it cannot be read."""
        ...


class LogFile(NamedTuple):
    """A log in a file."""

    path: Path

    @property
    def name(self) -> str:
        """The path."""
        return str(self.path)

    @property
    def data(self) -> bytes:
        """What the file has."""
        return self.path.read_bytes()


def logs_at(place: Path) -> list[LogFile]:
    """Return the log at a place, or all below a folder."""
    return list(map(LogFile, log_paths(place) if place.is_dir() else [place]))


class ComparedLog(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A log by its name, and what differs; `problem` instead says why it cannot be compared.

    unverified: the first line that its facts do not lead to, in words, where there is one: it was changed, or another
    release has written it. Compared is what this release decides.
    """

    name: str
    diff: PolicyDiff | None = None
    problem: str | None = None
    unverified: str | None = None

    @property
    def changes(self) -> Sequence[ChangedMove]:
        """What differs."""
        return () if self.diff is None else self.diff.changes


def compared_logs(logs: Iterable[LogSource], definition: bytes, processes: int | None = None) -> Iterator[ComparedLog]:
    """Give each log compared with a definition, in their order.

    processes: at most; None for one for each core of this machine, and for this one alone where the logs are few.
    """
    given = list(logs)
    most = min(processes or os.cpu_count() or 1, max(1, len(given) // _FEW))
    return on_processes(partial(_compared, definition), given, most, _AT_ONCE)


def _compared(definition: bytes, log: LogSource) -> ComparedLog:
    try:
        data = log.data
        checked = verify(data)
        unverified = None if checked.ok else f"line {checked.line}: {checked.message}"
        return ComparedLog(name=log.name, diff=policy_diff(data, definition), unverified=unverified)
    except PurestepError as error:
        return ComparedLog(name=log.name, problem=f"{error.code}: {error.message}")
    except OSError as error:
        return ComparedLog(name=log.name, problem=error.strerror or type(error).__name__)


class Kind(NamedTuple):
    """A kind of difference: what was done, and what is done in its place; of which tool, in which agent, and why."""

    was: str
    becomes: str
    tool: str
    why: str


class Occurrence(NamedTuple):
    """Where a difference is: a log, and the number of the line of the fact that led to it."""

    name: str
    line: int


class DiffTable:
    """How often each kind of difference is there, with examples."""

    def __init__(self, most_examples: int = 3) -> None:
        """Begin with none. most_examples: of each kind."""
        self.logs = self.changed = self.unread = self.points = self.left_out = self.decisions = self.unverified = 0
        self.counts = Counter[Kind]()
        self.examples: dict[Kind, list[Occurrence]] = {}
        self._most_examples = most_examples

    def add(self, compared: ComparedLog) -> None:
        """Count a log."""
        self.logs += 1
        if compared.diff is None:
            self.unread += 1
            return
        self.points += compared.diff.points
        self.left_out += compared.diff.left_out
        self.changed += bool(compared.changes)
        self.decisions += len({change.line for change in compared.changes})
        self.unverified += compared.unverified is not None
        for change in compared.changes:
            kind = kind_of(change)
            self.counts[kind] += 1
            kept = self.examples.setdefault(kind, [])
            if len(kept) < self._most_examples:
                kept.append(Occurrence(compared.name, change.line))

    def rows(self) -> list[tuple[Kind, int, list[Occurrence]]]:
        """Return the kinds, the most frequent first."""
        ordered = sorted(self.counts.items(), key=lambda each: (-each[1], each[0]))
        return [(kind, count, self.examples[kind]) for kind, count in ordered]


def kind_of(change: ChangedMove) -> Kind:
    """Return the kind of a difference."""
    was, becomes = change.was, change.becomes
    names = [*(becomes.path or was.path), becomes.tool or was.tool]
    why = ": ".join(filter(None, (_otherwise(was, becomes), becomes.why or (f"before: {was.why}" if was.why else ""))))
    return Kind(was.does, becomes.does, " > ".join(filter(None, names)), why)


def _otherwise(was: Move, becomes: Move) -> str:
    """Return what is done otherwise with the same call or answer; "" where only something else is done."""
    if was.params is not msgspec.UNSET and becomes.params is not msgspec.UNSET and was.params != becomes.params:
        return "with other arguments"
    return "in other words" if was.does == becomes.does and was.said != becomes.said else ""
