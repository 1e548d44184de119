"""The curve of a threshold: of the calls that a model made, those asked about below it, and those wrong above it."""

from collections.abc import Sequence
from typing import Final

import msgspec

THRESHOLDS: Final = (0.0, -0.02, -0.05, -0.1, -0.15, -0.2, -0.3, -0.5, -0.7, -1.0, -2.0, -1_000_000.0)


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: how sure the model was of branch and tool, what it did, and whether that was right.

    `is_right` of a call: of the tool; `has_arguments`: of the arguments as well.
    """

    sure: float
    does: str
    is_right: bool
    has_arguments: bool


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """What a threshold does to the calls: how many it asks about, right ones among them, and what it lets pass."""

    below: float
    calls: int
    asked: int
    asked_right: int
    unasked: int
    unasked_wrong: int


def curve(records: Sequence[Record]) -> list[Point]:
    """Return a point for each threshold."""
    calls = [record for record in records if record.does == "call"]
    return [_point(calls, below) for below in THRESHOLDS]


def _point(calls: Sequence[Record], below: float) -> Point:
    asked = [record for record in calls if record.sure < below]
    passed = [record for record in calls if record.sure >= below]
    return Point(
        below=below,
        calls=len(calls),
        asked=len(asked),
        asked_right=sum(record.is_right for record in asked),
        unasked=len(passed),
        unasked_wrong=sum(not record.is_right for record in passed),
    )


def table(points: Sequence[Point]) -> str:
    """Return the curve as a table of Markdown."""
    head = "| below | asked | right ones asked | wrong among the unasked |\n| ---: | ---: | ---: | ---: |"
    rows = [
        f"| {'none' if point.below == THRESHOLDS[-1] else point.below} | {_share(point.asked, point.calls)} "
        f"| {_share(point.asked_right, point.calls - _wrong(point))} | {_share(point.unasked_wrong, point.unasked)} |"
        for point in points
    ]
    return "\n".join([head, *rows])


def _wrong(point: Point) -> int:
    return point.asked - point.asked_right + point.unasked_wrong


def _share(part: int, of: int) -> str:
    return f"{part} of {of} ({100 * part / of:.1f} %)" if of else "-"
