"""Several calls, cut outputs, examples and unknown tools, for every family."""

from collections.abc import Mapping
from typing import Any

import pytest

from purestep.dialects import dialect_named, read_output
from purestep.values.reading import ReadCall

from .forms import ARGUMENTS, DIALECTS, ESCAPED, MARKED, SPECS, head_of, save, tail_of, written
from .readings import codes, read_both

FAMILIES = pytest.mark.parametrize("family", list(DIALECTS))
TIME = ReadCall(tool="get_time", params={})
TWO = (save({"text": "Rome", "count": 12}), save({"text": "日本 {", "tags": ["a"]}))
UNKNOWN = ReadCall(tool="erase", params={"text": "Rome"})

CERTAIN_END = ("cohere", "apertus", "pythonic")
"""Families whose calls end the turn: what a model writes after them, calls too, does not count."""


# --- several calls -----------------------------------------------------------------------------------------


@FAMILIES
@pytest.mark.parametrize("calls", [TWO, (*TWO, TIME), (TIME, *TWO), (TIME,), (TIME, TIME)], ids=len)
def test_several_calls_are_all_read_in_order(family: str, calls: tuple[ReadCall, ...]) -> None:
    """Calls side by side, with arguments and without, are read in order, and only what was said is shown."""
    text = f"I look.\n{written(family, *calls)}"
    for dialect in (family, "auto"):
        reading = read_both(text, dialect)
        assert (calls, "I look.", []) == (reading.calls, reading.content, codes(reading))


@FAMILIES
def test_text_between_blocks_is_content(family: str) -> None:
    """Several blocks with words between them: all calls in order, all words shown."""
    blocks = [written(family, call) for call in TWO]
    for dialect in (family, "auto"):
        reading = read_both(f"First:\n{blocks[0]}\nThen:\n{blocks[1]}\nDone.", dialect)
        assert TWO[: 1 if family in CERTAIN_END else 2] == reading.calls
        assert ["First:", "Then:", "Done."] == (reading.content or "").split()


@FAMILIES
@pytest.mark.parametrize(("begin", "end"), [("<think>", "</think>"), ("[THINK]", "[/THINK]"), ("", "</think>")])
def test_draft_in_reasoning_is_no_call(family: str, begin: str, end: str) -> None:
    """A draft in reasoning is never a call, and never shown."""
    for dialect in (family, "auto"):
        reading = read_both(f"{begin}So: {written(family, *TWO)}{end}\nIt is noon.", dialect)
        assert ((), "It is noon.") == (reading.calls, reading.content)


# --- cut ---------------------------------------------------------------------------------------------------

LAST_CHARS = 40
"""Of a text's end: as much as the beginning of a marker takes that the cut left behind."""


CUT = [
    pytest.param(family, tools, id=f"{family}-{about}")
    for family in DIALECTS
    for tools, about in ((SPECS, "tools"), (None, "any_tool"))
]


@pytest.mark.parametrize(("family", "tools"), CUT)
def test_cut_output_gives_whole_calls_or_a_problem(family: str, tools: Mapping[str, Any] | None) -> None:
    """Cut at every byte: no value is half there, no call lacks what it needs, and its loss is a problem."""
    calls = (save({"text": "a b", "count": 1234, "tags": ["x", "yz"]}), save({"text": "c", "ratio": 0.25}))
    text = written(family, *calls)
    for end in range(len(text)):
        cut = text[:end]
        for dialect in (family, "auto"):
            reading = read_output(dialect_named(dialect), cut, tools)
            for got, call in zip(reading.calls, calls, strict=False):
                assert _is_part(got, call), cut
            if tools is None and family not in MARKED:
                continue  # bare JSON that is damaged is a call only where a tool is known
            content = reading.content or ""
            assert cut.rstrip().endswith(content), cut
            assert len(content) <= LAST_CHARS, cut
            assert reading.calls or reading.problems or content == cut.strip(), cut


def _is_part(got: ReadCall, call: ReadCall) -> bool:
    """Whether a call has all that it needs and nothing but whole arguments of the other."""
    whole = all(key in call.params and call.params[key] == value for key, value in got.params.items())
    return got.tool == call.tool and whole and "text" in got.params


# --- examples, and tools that are not there ------------------------------------------------------------------

QUOTES = {
    "ticks": ("Write `", "` to erase."),
    "quotes": ('Write "', '" to erase.'),
    "fence": ("Write this:\n```\n", "\n```\nto erase."),
    "fence_alone": ("```xml\n", "\n```"),
}


@pytest.mark.parametrize("family", [family for family in DIALECTS if "```" not in written(family, UNKNOWN)])
@pytest.mark.parametrize("quotes", QUOTES)
def test_quoted_example_that_names_no_tool_stays_text(family: str, quotes: str) -> None:
    """Markup in quotes, backticks or a code fence that names no tool there is is an example, whole and visible."""
    text = written(family, UNKNOWN).join(QUOTES[quotes])
    for dialect in (family, "auto"):
        reading = read_both(text, dialect)
        assert ((), text) == (reading.calls, reading.content)


@pytest.mark.parametrize("family", MARKED)
def test_unknown_tool_in_a_familys_markers_is_never_the_answer(family: str) -> None:
    """A call of a tool that there is not is read as it is, to be corrected, and none of its markup is shown."""
    for dialect in (family, "auto"):
        reading = read_both(f"I look.\n{written(family, UNKNOWN)}", dialect)
        assert "I look." == reading.content
        assert (UNKNOWN,) == reading.calls or reading.problems


# --- what strings may hold ----------------------------------------------------------------------------------


def _strings() -> list[tuple[str, str]]:
    """Return families with marks, those of their own among them."""
    own = ((family, mark) for family in ESCAPED for mark in (head_of(family), tail_of(family)) if mark)
    any_ones = ("<think>", "</think>", "[/THINK]", "```", "`", "[TOOL_CALLS]")
    other = ((family, mark) for family in ESCAPED for mark in any_ones)
    return [*own, *other]


@pytest.mark.parametrize(("family", "mark"), _strings())
def test_marker_inside_of_a_string_belongs_to_it(family: str, mark: str) -> None:
    """Whatever marker a string holds, opening, closing or of reasoning, the call is read whole."""
    call = save({"text": f"a {mark} b", "name": mark})
    for dialect in (family, "auto"):
        assert (call, TIME) == read_both(written(family, call, TIME), dialect).calls


@pytest.mark.parametrize("family", [family for family in ESCAPED if family in MARKED])
def test_markers_alone_make_a_call_without_a_list_of_tools(family: str) -> None:
    """A block in a family's markers is a call of whatever it names."""
    for params in ARGUMENTS.values():
        call = ReadCall(tool="anything", params=params)
        for dialect in (family, "auto"):
            reading = read_both(f"I look.\n{written(family, call)}", dialect, specs=None)
            assert ((call,), "I look.") == (reading.calls, reading.content)
