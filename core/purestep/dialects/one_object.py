"""How a text is read that has to be one JSON object: as it is, in a fence or amid prose, with brackets added.

What the object means is its dialect's to say. The first object that means something counts, and calls that follow it
directly; everything else is a problem, never an answer.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

from msgspec.structs import replace

from ..bounds import MAX_ENVELOPE_CANDIDATES
from ..json_text import BLANK, CLOSERS_MISSING, UNREADABLE, Found, close_json, diagnose, find_json, read_json
from ..values import Problem, Reading, Tools, ignored_text, parse_error, repaired, truncated
from .lone_calls import unsure

_TWICE: Final = "the JSON object cannot be read: it gives a name twice, or holds a number that is too large"


class ReadValue(Protocol):
    """Reads a decoded value, with the notes on how it was found."""

    def __call__(self, value: Any, notes: tuple[Problem, ...] = (), *, tools: Tools | None = None) -> Reading:
        """Return the reading of the value: its calls or content, or a problem."""
        ...


def read_one_object(text: str, read: ReadValue, none: Callable[[], Reading], tools: Tools | None) -> Reading:
    """Return the reading of a whole output.

    read: what the object means. none: the reading of a text without one.
    """
    body = text.strip(BLANK)
    value = read_json(body) if body[:1] in ("{", "[") else UNREADABLE
    return _ObjectSearch(body, read, tools).first() or none() if value is UNREADABLE else read(value, tools=tools)


class _ObjectSearch:
    """The search for an object in a text that is more than that; lives only inside of `read_one_object`."""

    __slots__ = ("body", "read", "tools")

    def __init__(self, body: str, read: ReadValue, tools: Tools | None) -> None:
        self.body, self.read, self.tools = body, read, tools

    def first(self) -> Reading | None:
        """Return the reading of the first object that means something, else of the first at all."""
        at, first_problem = 0, None
        for _ in range(MAX_ENVELOPE_CANDIDATES):
            found = find_json(self.body, at)
            if found is None:
                break
            reading = self._candidate(found)
            if not reading.problems or reading.calls or reading.content is not None:
                return reading
            first_problem = first_problem or reading
            at = found.end
        return first_problem

    def _candidate(self, found: Found) -> Reading:
        if found.missing:
            value = close_json(self.body, found)
            if value is UNREADABLE:
                return Reading(problems=(truncated("the JSON object ends before it is closed"),))
            closed = self.read(value, (repaired(CLOSERS_MISSING),), tools=self.tools)
            return self._if_sure(closed, found)
        stretch = self.body[found.start : found.end]
        value = read_json(stretch)
        if value is UNREADABLE:
            return Reading(problems=(parse_error(diagnose(stretch) or _TWICE),))
        first = self.read(value, tools=self.tools)
        if not first.calls:
            return _noted(first, self._around(found.start, found.end))
        return self._if_sure(self._with_following(first, found.start, found.end), found)

    def _if_sure(self, reading: Reading, found: Found) -> Reading:
        """Return the reading of an object with a bracket missing or too many, unless its calls could be others."""
        problem = unsure(self.body, found.start, self.tools) if reading.calls else None
        return reading if problem is None else Reading(problems=(problem,))

    def _with_following(self, first: Reading, start: int, end: int) -> Reading:
        """Take calls that follow the first directly; from anything else on, the text is left out."""
        calls, body = list(first.calls), self.body
        while (found := find_json(body, end)) is not None and not body[end : found.start].strip(BLANK):
            following = self.read(read_json(body[found.start : found.end]), tools=self.tools)
            if not following.calls:
                break
            calls += following.calls
            end = found.end
        return replace(_noted(first, self._around(start, end)), calls=tuple(calls))

    def _around(self, start: int, end: int) -> tuple[Problem, ...]:
        """Return the note on what stands around the object."""
        rest = (self.body[:start] + self.body[end:]).strip(BLANK)
        if not rest:
            return ()
        if rest.replace("`", "").strip(BLANK) in ("", "json"):
            return (repaired("the object stood in a code fence"),)
        return (ignored_text("text beside the JSON object was left out"),)


def _noted(reading: Reading, notes: tuple[Problem, ...]) -> Reading:
    return replace(reading, problems=(*notes, *reading.problems)) if notes else reading
