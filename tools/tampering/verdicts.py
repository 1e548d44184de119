"""What the verifiers say of changed logs, and whether they say it of the right line."""

import base64
import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field

from purestep.log import LogLines, LogReplayer, verify_on

from .changes import Bounds, Change, bounds_of

Found = tuple[str, int] | None
"""The code under which a change was found and the line that is named, from 1; None if the log was taken."""

Verifier = Callable[[bytes, str, list[Change]], Iterable[Found]]
"""Gives what is found of each change of a log, which is given with its head."""

CORE: Final = "the core"
CHAIN: Final = "the chain alone"
_SCRIPT: Final = Path(__file__).with_name("verify_changes.mjs")


class Counts(Struct):
    """What a verifier found: how many changes of each kind it was given, and where it named them."""

    tried: Counter[str] = field(default_factory=Counter)
    exact: int = 0
    """At the first line that differs."""
    later: int = 0
    """At the next derived line, which tells that one before it was changed."""
    by_head: int = 0
    """Nothing was derived from it yet: the head tells, and the last line is named."""
    broken: list[str] = field(default_factory=list)

    def add(self, name: str, change: Change, found: Found, bounds: Bounds, last: int) -> None:
        """Count one change; last: the last line at which it may be named."""
        self.tried[change.kind] += 1
        if found is None:
            self.broken.append(f"{name}, {_told(change)}: not found")
            return
        code, line = found
        if code == "internal_error" or not bounds.first <= line <= last:
            self.broken.append(f"{name}, {_told(change)}: {code} at line {line}; expected {bounds.first} to {last}")
        elif code == "head_mismatch":
            self.by_head += 1
        elif line == bounds.first:
            self.exact += 1
        else:
            self.later += 1

    def join(self, other: "Counts") -> None:
        """Add what was counted elsewhere."""
        self.tried += other.tried
        self.exact += other.exact
        self.later += other.later
        self.by_head += other.by_head
        self.broken += other.broken


def _told(change: Change) -> str:
    return f"{change.kind} [{change.begin}, {change.end}) by {change.put[:40]!r}"


def count_changes(
    name: str, log: bytes, head: str, changes: list[Change], counts: Mapping[str, Counts], ask: Mapping[str, Verifier]
) -> None:
    """Ask each verifier of the changes of one log, and count what it finds; those that change nothing are left out."""
    changes = [change for change in changes if change.made(log) != log]
    bounds = [bounds_of(log, change) for change in changes]
    for verifier, find in ask.items():
        for change, found, where in zip(changes, find(log, head, changes), bounds, strict=True):
            counts[verifier].add(name, change, found, where, where.core if verifier == CORE else where.chain)


def found_by_core(log: bytes, head: str, changes: list[Change]) -> Iterator[Found]:
    """Return what `verify_log` finds; it goes on from the lines before each change, which it takes once for all."""
    before = _taken(log)
    for change in changes:
        taken = before[log.count(b"\n", 0, change.begin)]
        try:
            said = verify_on(copy(taken), change.made(log), head)
        except Exception:  # of any kind: no log may raise one
            yield "internal_error", 0
        else:
            yield None if said.ok else (said.code or "", said.line or 0)


def _taken(log: bytes) -> list[LogReplayer]:
    """Return replayers of a log that have taken none of its lines, the first one, the first two, to all of them.

    A copy of one is as good as it: what it holds is frozen, or replaced and never changed.
    """
    replayer = LogReplayer(keeps_messages=False)
    taken = [copy(replayer)]
    for number, line in LogLines(log):
        replayer.take(number, line)
        taken.append(copy(replayer))
    return taken


@contextmanager
def chain_verifier() -> Iterator[Verifier]:
    """Return the verifier in JavaScript, in one Node process."""
    process = subprocess.Popen(["node", str(_SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    given, said = process.stdin, process.stdout
    assert given is not None
    assert said is not None

    def find(log: bytes, head: str, changes: list[Change]) -> Iterator[Found]:
        text = base64.b64encode(log).decode()
        given.write(json.dumps([text, head, msgspec.to_builtins(changes)]) + "\n")
        given.flush()
        for found in json.loads(said.readline()):
            yield None if found is None else (found[0], found[1])

    try:
        yield find
    finally:
        given.close()
        process.wait()
        said.close()
