"""Reading what stands after a marker of a family is linear, whatever runs there."""

import pytest

from purestep.dialects import read_output
from purestep.entry.standalone import specs_of
from purestep_formats.families.families import ALL_MARKERS, AUTO
from tools.growth import is_linear

SIZES = (60, 250, 1_000)
"""Characters of the shorter of two runs: each shows a lower power, before a higher one would take minutes."""

TOOLS = specs_of([{"name": "a", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}])
MARKS = sorted({mark for start in ALL_MARKERS.starts for mark in (start.mark, *start.closers) if mark})


@pytest.mark.parametrize("unit", [" ", "\n", "a", "0", ":", '"', "{", "<", "a "])
def test_run_of_one_class_after_a_marker_is_read_in_linear_time(unit: str) -> None:
    """Property: no marker leads to work that grows faster than the text."""

    def read(text: str) -> object:
        return read_output(AUTO, text + "x", TOOLS)

    every = ((mark, size) for size in SIZES for mark in MARKS)
    assert None is next((run for run in every if not is_linear(read, unit, lead=run[0], chars=run[1])), None)
