"""The page of the probe: its table is of ways that there are, and its profile is one that agent files take."""

import json
import re
from pathlib import Path

import pytest

import purestep
from purestep_hosts.agent_file import with_profiles
from purestep_hosts.download import MODEL_NAME
from purestep_tools.probe import TASKS, dialect_for, ways_for

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "probe.md").read_text(encoding="utf-8")


def rows_of(table: str) -> list[list[str]]:
    """Give the cells of a table of the page, by its mark."""
    text = PAGE.partition(f"<!-- {table} -->")[2].partition(f"<!-- /{table} -->")[0]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in text.strip().splitlines()[2:]]


@pytest.mark.parametrize(("table", "is_quick"), [("table", False), ("quick", True), ("page", True)])
def test_rows_are_ways_of_the_suite(table: str, is_quick: bool) -> None:
    """Each row of a table is a way that the probe tries, with no more right than there are tasks."""
    rows = rows_of(table)
    ways = [tuple(way) for way in ways_for(dialect_for(MODEL_NAME), quick=is_quick)]
    shown = [(dialect, constraint, carry) for dialect, constraint, carry, *_ in rows]
    assert shown
    assert shown == [way for way in ways if way in shown]
    total = sum(task.is_quick or not is_quick for task in TASKS)
    for row in rows:
        right, tasks = map(int, row[3].split(" of "))
        assert right <= tasks <= total


def test_profile_is_an_entry_of_models() -> None:
    """The profile on the page makes a definition that the core takes, with its dialect and level."""
    block = re.search(r"<!-- profile -->\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert block
    profile = json.loads(block[1])
    agent = purestep.Agent.load(with_profiles({"models": [profile]}))
    assert (profile["dialect"], profile["carry"]) == (agent.definition.dialect, agent.definition.models[0].carry)


def test_number_of_tasks_is_that_of_the_suite() -> None:
    """The page counts the suite's tasks as they are."""
    without = sum(not task.calls for task in TASKS)
    assert f"The suite has {len(TASKS)} tasks" in PAGE
    assert (2, 4) == (without, sum(task.is_quick for task in TASKS))
