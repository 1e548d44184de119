"""The page of the probe: its profile is one that agent files take."""

import json
import re
from pathlib import Path

import purestep
from purestep_hosts.agent_file import with_profiles
from purestep_tools.probe import TASKS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "probe.md").read_text(encoding="utf-8")


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
