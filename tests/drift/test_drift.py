"""The drift matrix: every family's calls as its own writer writes them, in every drift, read whole and streamed."""

from typing import Any

import pytest

from purestep.values.reading import FATAL
from tests.examples import some_of

from .drifts import DRIFTS
from .forms import ARGUMENTS, DIALECTS, ESCAPED, MARKED, save, written
from .readings import codes, read_both

STREAMED = ("typed", "brackets", "unicode")
"""Sets of arguments that are streamed too, character by character; the others are read whole only.

Each family's drift streams one of them, the next family and the next drift another one, and all three where all
examples are wanted: what a drift does to the form is the same in each, and each of them meets every drift and family.
"""


def _matrix(drifts: Any, families: Any) -> list[Any]:
    return [
        pytest.param(family, drift, id=f"{family}-{drift}")
        for drift in drifts
        for family in families
        if any(DRIFTS[drift].make(family, written(family, save(params)), params) for params in ARGUMENTS.values())
    ]


@pytest.mark.parametrize(("family", "drift"), _matrix(DRIFTS, DIALECTS))
def test_drifted_call_is_read_as_it_is_meant(family: str, drift: str) -> None:
    """Whatever became of a call's form, the call is the same, nothing is fatal, and only what was said is shown."""
    how = DRIFTS[drift]
    streamed = some_of(STREAMED, list(DRIFTS).index(drift) + list(DIALECTS).index(family), 3)
    for name, params in ARGUMENTS.items():
        text = how.make(family, written(family, save(params)), params)
        for dialect in (family, "auto") if text is not None else ():
            reading = read_both(text or "", dialect, is_streamed=name in streamed and dialect == "auto")
            assert ((save(params),), how.content) == (reading.calls, reading.content), text
            assert not FATAL & {*codes(reading)}, text
            if how.reasoning is not None:
                assert (reading.reasoning or "").startswith(how.reasoning), text


WITHOUT_TOOLS = (
    *("as_written", "text_before", "text_after", "blanks_around", "begun_in_reasoning", "reasoning_<think>"),
    *("end_of_turn", "last_marker_twice", "no_newline_after_tags", "indented", "single_quotes", "python_words"),
    *("trailing_comma", "comments", "as_json_text", "fence_inside", "space_inside"),
)
"""Drifts in which the markers alone say that there is a call."""


@pytest.mark.parametrize(
    ("family", "drift"),
    _matrix(WITHOUT_TOOLS, [family for family in ESCAPED if family in MARKED and family != "apertus"]),
)
def test_drifted_call_is_read_without_a_list_of_tools(family: str, drift: str) -> None:
    """A block in markers is the same call when no tool is known; only an object keyed by its tool needs one."""
    how = DRIFTS[drift]
    for params in ARGUMENTS.values():
        text = how.make(family, written(family, save(params)), params)
        for dialect in (family, "auto") if text is not None else ():
            reading = read_both(text or "", dialect, is_streamed=False, specs=None)
            assert ((save(params),), how.content) == (reading.calls, reading.content), text
            assert not FATAL & {*codes(reading)}, text
