"""What a run takes: the names that `accepted_observations` gives are those that `wrong_phase` does not refuse."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep import RunState
from tests.core.agents import agent, approvals, ok
from tests.core.driver import Driver, stepped
from tests.core.log.runs import rich_run

OBSERVATIONS: dict[str, dict[str, Any]] = {
    "user_message": {"type": "user_message", "content": "More."},
    "model_output": {"type": "model_output", "content": "x"},
    "model_error": {"type": "model_error", "code": "timeout"},
    "approvals": approvals({"call_id": "call_9", "key": "k", "approved": True}),
    "tool_results": ok("call_9", 1),
    "tool_pending": {"type": "tool_pending", "call_id": "call_9", "handle": "job-1"},
    "resumed": {"type": "resumed"},
    "agent_changed": {"type": "agent_changed", "agent": {}},
    "cancel": {"type": "cancel"},
}
REFUSALS = {"wrong_phase", "not_approved"}
"""`not_approved` is what results meet where calls wait for a person: a sharper word for a wrong phase."""


def states() -> dict[str, dict[str, Any]]:
    """Return a state of every phase, made by a run that has been in all of them."""
    lines = rich_run().log.split("\n")
    replays = (json.loads(purestep.replay_log("\n".join(lines[:end]) + "\n")) for end in range(2, len(lines)))
    return {replayed["state"]["phase"]: replayed["state"] for replayed in replays}


@pytest.mark.parametrize("phase", ["model", "approval", "tools", "done", "failed"])
def test_names_are_those_that_a_step_does_not_refuse(phase: str) -> None:
    """In every phase, each observation is named exactly if a step takes it or finds fault with more than its type."""
    state = states()[phase]
    named = json.loads(purestep.accepted_observations(json.dumps(state)))
    taken = [
        name
        for name, observation in OBSERVATIONS.items()
        if stepped(state=state, observation=observation).get("error", {}).get("code") not in REFUSALS
    ]
    assert sorted(taken) == sorted(named)
    assert tuple(named) == purestep.accepted_observations(msgspec.convert(state, RunState))


def test_a_run_that_has_seen_nothing_takes_a_user_message() -> None:
    """Before its first message a run takes nothing else, as `wrong_phase` says in words."""
    first = {**states()["model"], "messages": 0}
    taken = [
        name
        for name, observation in OBSERVATIONS.items()
        if stepped(observation=observation).get("error", {}).get("code") not in REFUSALS
    ]
    assert taken == ["user_message"] == json.loads(purestep.accepted_observations(json.dumps(first)))


def test_refusals_name_what_is_accepted() -> None:
    """The words of `wrong_phase` hold the same names."""
    driver = Driver(agent())
    refused = driver.send(ok("call_1", 1))
    assert "wrong_phase" == refused["code"]
    for name in json.loads(purestep.accepted_observations(json.dumps(driver.state))):
        assert name in refused["message"]
