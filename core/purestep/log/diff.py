"""Two runs compared line by line, up to the first event in which their courses part."""

from typing import Any, Final

from msgspec import Struct

from ..json_text import decode_json, encode
from ..values import Event
from .replay import read_events

_OWN: Final = frozenset({
    "seq", "at", "prev", "key", "run_id", "usage", "request", "response_id", "asked_at", "first_token_at", "ended_at",
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


_Lines = list[tuple[int, dict[str, Any]]]


def diff(one: str | bytes, other: str | bytes) -> LogDiff:
    """Compare two logs, whose run ids, times, hashes, keys and token counts may differ.

    Error codes: `invalid_log`, which names the line, and `input_too_large`.
    """
    first, second = _lines(one), _lines(other)
    shorter = min(len(first), len(second))
    at = next((at for at in range(shorter) if _course(first[at]) != _course(second[at])), shorter)
    if at == len(first) == len(second):
        return LogDiff(same=True, events=at)
    return LogDiff(
        same=False,
        events=at,
        lines=(_line_at(first, at), _line_at(second, at)),
        one=_events_from(first, at),
        other=_events_from(second, at),
    )


def _lines(text: str | bytes) -> _Lines:
    return [(number, _members(event)) for number, event in read_events(text)]


def _members(event: Event) -> dict[str, Any]:
    members: dict[str, Any] = decode_json(encode(event))  # what stands raw in the event is read too
    return members


def _course(line: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    """Return what an event says of a run's course."""
    return {name: value for name, value in line[1].items() if name not in _OWN}


def _line_at(lines: _Lines, at: int) -> int | None:
    return lines[at][0] if at < len(lines) else None


def _events_from(lines: _Lines, at: int) -> tuple[dict[str, Any], ...]:
    return tuple([members for _, members in lines[at : at + _SHOWN]])
