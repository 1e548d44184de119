"""Agents that call others are no durable runs yet: that is said before anything is written."""

from pathlib import Path

import pytest

from purestep_hosts import Agent, ScriptedModel
from purestep_hosts.durable import DurableRuns


def test_an_agent_that_calls_another_is_refused(tmp_path: Path) -> None:
    """A worker would not know whose model and tools a run below has."""
    lead = Agent(ScriptedModel([]), tools=[Agent(ScriptedModel([]), name="desk")])
    with pytest.raises(TypeError, match="calls no others"):
        DurableRuns(lead, tmp_path / "runs.db")
    assert not (tmp_path / "runs.db").exists()
