"""The page of the probe: its table is of ways that there are, and its profile is one that agent files take."""

import json
import re
from pathlib import Path

import purestep
from purestep_hosts.agent_file import with_profiles
from purestep_hosts.download import MODEL_NAME
from purestep_hosts.probe import combinations, dialect_for, probe_suite

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "probe.md").read_text(encoding="utf-8")


def test_rows_are_ways_of_the_suite() -> None:
    """Each row of the table is a way that the probe tries, with no more right than there are tasks."""
    table = PAGE.partition("<!-- table -->")[2].partition("<!-- /table -->")[0]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.strip().splitlines()[2:]]
    ways = [(way.dialect, way.constraint, way.carry) for way in combinations(dialect_for(MODEL_NAME), quick=False)]
    shown = [(dialect, constraint, carry) for dialect, constraint, carry, *_ in rows]
    assert shown
    assert shown == [way for way in ways if way in shown]
    total = len(probe_suite().tasks)
    for row in rows:
        right, tasks = map(int, row[3].split(" of "))
        assert right <= tasks == total


def test_profile_is_an_entry_of_models() -> None:
    """The profile on the page makes a definition that the core takes, with its dialect and level."""
    block = re.search(r"<!-- profile -->\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert block
    profile = json.loads(block[1])
    agent = purestep.Agent.load(with_profiles({"models": [profile]}))
    assert (profile["dialect"], profile["carry"]) == (agent.definition.dialect, agent.definition.models[0].carry)


def test_number_of_tasks_is_that_of_the_suite() -> None:
    """The page counts the suite's tasks as they are."""
    without = sum(not task.calls for task in probe_suite().tasks)
    assert f"The suite has {len(probe_suite().tasks)} tasks" in PAGE
    assert (2, 4) == (without, sum(task.quick for task in probe_suite().tasks))
