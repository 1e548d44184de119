"""What a state and a log hold of a skill, and that a changed one is refused."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, call, listed, ok, said
from tests.core.driver import altered, stepped
from tests.core.skill_runs import DOWN, NAMES, RIGHT, begun_skill, skill_run


@pytest.mark.parametrize("cut", range(1, 12))
def test_every_prefix_of_the_log_replays_to_the_live_run(cut: int) -> None:
    """After a crash at any line the run goes on from its log to the same end."""
    driver = skill_run(ADD)
    moves = [said(listed(NAMES, call("add_numbers", a=1, b=2))), ok("call_2", 3), said("?"), DOWN, said(RIGHT)]
    for move in moves:
        driver.send(move)
    lines = driver.log.splitlines(keepends=True)
    assert len(lines) > cut
    found = purestep.replay("".join(lines[: cut + 1]))
    begun = "".join(lines[: cut + 1]) + found.lost
    assert driver.log.startswith(begun)
    state = json.loads(purestep.replay_log(driver.log))["state"]
    assert (driver.state, True) == (state, purestep.verify(driver.log).ok)


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("/phase", {"skill": None}),
        ("/exchange/skill", {"reason": "start"}),
        ("/exchange/skill", {"skill": {"outputs": 1}}),
        ("/exchange/skill", {"skill": {"fault": {"kind": "Made up", "message": "x"}, "outputs": 1}}),
        ("/exchange/skill", {"skill": {"fault": {"kind": "MalformedOutput", "message": "x"}}}),
        ("/exchange/skill", {"summing": {"reason": "start"}}),
    ],
)
def test_changed_state_is_refused(path: str, members: dict[str, Any]) -> None:
    """A state that contradicts itself about its skill makes no step."""
    driver = begun_skill()
    assert driver.state is not None
    state = altered(driver.state, "exchange", **members)
    error = stepped(agent=driver.definition, state=state, observation=said(RIGHT))["error"]
    assert "invalid_state" == error["code"]
    assert f"/state{path}" == error["path"]


@pytest.mark.parametrize(
    "call_members",
    [{"status": "run"}, {"tool": "add_numbers"}, {"status": "done", "ok": True}, {"params": {"text": "x"}}],
)
def test_changed_call_is_refused(call_members: dict[str, Any]) -> None:
    """A skill's call is neither run by the host nor another tool's."""
    driver = skill_run(ADD)
    driver.send(said(NAMES))
    assert driver.state is not None
    pending = [{**driver.state["pending"][0], **call_members}]
    error = stepped(agent=driver.definition, state={**driver.state, "pending": pending})["error"]
    assert "invalid_state" == error["code"]


def test_nothing_of_the_output_is_streamed() -> None:
    """A reader of the run's text sees none of what a skill is told."""
    driver = begun_skill()
    opened = json.loads(purestep.stream_model_output(json.dumps({"state": driver.state})))
    fed = json.loads(purestep.stream_model_output(json.dumps({"stream": opened["stream"], "chunk": RIGHT})))
    closed = json.loads(purestep.stream_model_output(json.dumps({"stream": fed["stream"]})))
    assert [] == [*fed["events"], *closed["events"]]
