"""Two runs compared line by line, up to the first event in which their courses part."""

from collections import deque
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Any, Final

from msgspec import Struct

from ..json_text import decode_json, encode
from ..values import Event
from .lines import LogText
from .replay import read_events

_OWN: Final = frozenset({
    "seq", "at", "prev", "head", "key", "run_id", "usage", "request", "response_id", "asked_at", "first_token_at",
    "ended_at",
})  # fmt: skip
"""Members of lines that two runs of the same course may differ in."""

_SHOWN: Final = 3
"""Events of each run that are given from where they part: enough to see what it goes on to do."""


class LogDiff(Struct, frozen=True, kw_only=True):
    """Where two runs part.

    `same`: they do not. `events`: how many say the same in both. `lines`: the number of the line in each, from 1, in
    which they part; null where that log has ended. `one` and `other`: up to three events of each from there.
    """

    same: bool
    events: int
    lines: tuple[int | None, int | None] = (None, None)
    one: tuple[dict[str, Any], ...] = ()
    other: tuple[dict[str, Any], ...] = ()


_Lines = Iterator[tuple[int, dict[str, Any]]]


def diff(one: LogText, other: LogText) -> LogDiff:
    """Compare two logs, whose run ids, times, hashes, keys and token counts may differ.

    one, other: text, bytes, or pieces of bytes, cut anywhere. Error codes: `invalid_log` and `input_too_large`, which
    name the line.
    """
    first, second = _lines(one), _lines(other)
    events = 0
    for pair in zip_longest(first, second):
        if _course(pair[0]) != _course(pair[1]):
            break
        events += 1
    else:
        return LogDiff(same=True, events=events)
    here, there = (_following(begin, rest) for begin, rest in zip(pair, (first, second), strict=True))
    return LogDiff(same=False, events=events, lines=(here[0], there[0]), one=here[1], other=there[1])


def _lines(log: LogText) -> _Lines:
    return ((number, _members(event)) for number, event in read_events(log))


def _members(event: Event) -> dict[str, Any]:
    members: dict[str, Any] = decode_json(encode(event))  # what stands raw in the event is read too
    return members


def _course(line: tuple[int, dict[str, Any]] | None) -> dict[str, Any] | None:
    """Return what an event says of a run's course; None past the end of a log."""
    return None if line is None else _said(line[1])


def _said(members: dict[str, Any]) -> dict[str, Any]:
    said = {name: value for name, value in members.items() if name not in _OWN}
    return {**said, "line": _said(said["line"])} if said["kind"] == "child" else said


def _following(begin: tuple[int, dict[str, Any]] | None, rest: _Lines) -> tuple[int | None, tuple[dict[str, Any], ...]]:
    """Return the number of the line in which a run parts, and its events from there; all that follows is read."""
    if begin is None:
        return None, ()
    shown = (begin[1], *(members for _, members in islice(rest, _SHOWN - 1)))
    deque(rest, maxlen=0)  # a line that cannot be read is told, wherever it stands
    return begin[0], shown
