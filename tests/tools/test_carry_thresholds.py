"""`./build.sh bench carry --threshold` reads requests at several thresholds, and the page has the one in use."""

from pathlib import Path

import pytest
from bench.carry import command, thresholds
from bench.carry.sets import task_set

from purestep.carry import THRESHOLD

PAGE = Path(__file__).resolve().parents[2] / "docs" / "carry.md"
TASKS = {task.id: task for task in task_set("threshold").tune}
RANGE, WINTER = TASKS["tv01"], TASKS["tv04"]
"""How far the car gets, which a tool tells, and why cars get less far in winter, which none does."""


def test_no_tool_is_offered_below_the_threshold() -> None:
    """What a low threshold offers a very high one does not; a question that needs no tool has none at either."""
    assert ("car_get_range",) == thresholds.offered(RANGE, THRESHOLD)
    assert () == thresholds.offered(RANGE, 1_000_000)
    tasks = [RANGE, WINTER]
    assert [(THRESHOLD, 1, 1, 1, 1), (1_000_000, 0, 1, 1, 1)] == [
        thresholds.tried(tasks, threshold) for threshold in (THRESHOLD, 1_000_000)
    ]


def test_command_tries_thresholds_without_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a line for each threshold and marks the one in use; the set of its own is taken by itself."""
    assert 0 == command.main(["--threshold", "--tasks", "tv01,tv04"])
    lines = capsys.readouterr().out.splitlines()
    assert len(thresholds.TRIED) == sum(" of 2 " in line for line in lines)
    (used,) = [line for line in lines if "in use" in line]
    assert f"in use: {THRESHOLD} " in used
    assert "2 of 2" in used


def test_page_shows_the_threshold_in_use() -> None:
    """The table of the page marks the value that the core has."""
    assert 1 == PAGE.read_text("utf-8").count(f"| {THRESHOLD} (in use) |")
