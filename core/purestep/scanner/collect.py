"""A whole text read by a table of markers: what a stream of it comes to, put together."""

from typing import Final

from ..json_text import BLANK, NOT_BLANK
from ..values import Problem, ReadCall, Reading, Tools, parse_error
from .markers import BlockResult, Table
from .position import START, Mark, Position, Segment
from .scanner import Scanner


def read_segments(table: Table, text: str, tools: Tools | None, begin: Position = START) -> Reading:
    """Read a text, whole or from a place on, by a table: what a stream of it comes to, put together."""
    walk = Scanner(table, tools, begin)
    walk.feed(text)
    walk.finish()
    reading = gathered(walk.out)
    if reading == _EMPTY and NOT_BLANK.search(text):
        return Reading(problems=(parse_error("the output holds markers without a call or an answer"),))
    return reading


_EMPTY: Final = Reading()


def gathered(segments: list[Segment]) -> Reading:
    """Put segments together to a reading; what a text began inside of is reasoning."""
    visible: list[str] = []
    thoughts: list[str] = []
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    for segment in segments:
        match segment:
            case str():
                visible.append(segment)
            case BlockResult():
                calls += segment.calls
                problems += (problem for problem in segment.problems if problem not in problems[-1:])
                if segment.reasoning is not None:
                    thoughts.append(segment.reasoning.strip(BLANK))
                if segment.content is not None:
                    visible.append(segment.content)
            case Mark("retract"):
                thoughts = ["".join(visible).strip(BLANK)]
                visible, calls, problems = [], [], []
    content = "".join(visible).strip(BLANK)
    return Reading(
        content=content or None,
        reasoning="\n".join(thoughts) if thoughts else None,
        calls=tuple(calls),
        problems=tuple(problems),
    )
