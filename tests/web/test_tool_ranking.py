"""A function ranks an agent's tools for its model's searches in JavaScript: the same log as in Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import purestep

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def runs(node: str, package: Path) -> dict[str, Any]:
    """What came of each run."""
    done = subprocess.run([node, HERE / "tool_ranking.mjs", package], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _event(log: str, kind: str) -> dict[str, Any]:
    return next(line for line in map(json.loads, log.splitlines()) if line["kind"] == kind)


def test_a_function_ranks_the_tools_that_may_have_to_be_found(runs: dict[str, Any]) -> None:
    """It is given their names and descriptions; what it says is in the log, which verifies here."""
    texts = [
        {"name": "tell_height", "description": "Tell the elevation of a mountain."},
        {"name": "list_letters", "description": "List letters."},
    ]
    assert [["deletters", texts]] == runs["seen"]
    log = runs["ranked"]["log"]
    assert "list_letters" == _event(log, "skill_ended")["output"][0]
    assert {"query": "deletters", "limit": 10} == _event(log, "tool_call")["arguments"]
    assert json.loads(purestep.verify_log(log))["ok"]
    assert "Done." == runs["ranked"]["answer"]


def test_vectors_rank_by_their_angle(runs: dict[str, Any]) -> None:
    """The tools are embedded once, each query by itself."""
    assert [2, 1] == runs["asked"]
    assert "list_letters" == _event(runs["embedded"]["log"], "skill_ended")["output"][0]


@pytest.mark.parametrize(
    ("name", "why"), [("failed", "no memory"), ("short", "expected 2 scores"), ("unfit", "finite numbers; got NaN")]
)
def test_a_function_that_fails_leaves_the_search_as_it_is(runs: dict[str, Any], name: str, why: str) -> None:
    """The run goes on, and the log says why."""
    log = runs[name]["log"]
    assert _event(runs["unranked"]["log"], "skill_ended")["output"] == _event(log, "skill_ended")["output"]
    assert why in _event(log, "skill_started")["problems"][0]["message"]
    assert "Done." == runs[name]["answer"]


def test_what_is_no_function_is_refused(runs: dict[str, Any]) -> None:
    """Where the agent is made, not in the middle of a run."""
    assert "expected toolsRankedBy to be a function" in runs["refused"]


def test_a_tool_of_the_ranking_tools_name_is_refused(runs: dict[str, Any]) -> None:
    """It would be gone without a word."""
    assert 'a tool is named "rank_tools"' in runs["taken"]


def test_equal_scores_are_in_the_order_of_the_names(runs: dict[str, Any]) -> None:
    """As in Python: where not all are told, both hosts leave out the same ones."""
    assert ["t00", "t01", "t02"] == [each["name"] for each in runs["tied"]["output"]]
