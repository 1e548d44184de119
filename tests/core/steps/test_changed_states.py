"""States that a client has changed: policy, schema and keys hold, and what cannot be known is recorded."""

import json
from typing import Any

import pytest

import purestep
from purestep.json_text import call_key, call_signature
from tests.core.agents import ADD, agent, answer, approvals, call, listed, ok, said
from tests.core.driver import Driver, WholeDriver, stepped

DEFINITION = agent()


def waiting() -> Driver:
    """Return a run whose first call waits for a person, beside one that may run after it."""
    driver = Driver(DEFINITION)
    driver.send(said(listed(call("shell", command="ls"), call("add_numbers", a=1, b=2))))
    return driver


def changed(driver: Driver, index: int, state: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """Return the driver's state with members of one call changed, and the key made to fit what it says then."""
    made: dict[str, Any] = json.loads(json.dumps({**(driver.state or {}), **(state or {})}))
    entry = made["pending"][index]
    entry.update(members)
    if "key" not in members:
        ordinal = int(entry["call_id"].removeprefix("call_"))
        entry["key"] = call_key(made["run_id"], ordinal, call_signature(entry["tool"], entry["params"]))
    return made


def refused_at(state: dict[str, Any], **members: Any) -> str:
    """Return the path at which a step refuses a state."""
    error = stepped(agent=DEFINITION, state=state, **members)["error"]
    assert "invalid_state" == error["code"]
    return str(error["path"])


def test_call_that_nobody_approved_does_not_run() -> None:
    """Section 10: an approval that is not recorded was not given, whatever the call's status says."""
    state = changed(waiting(), 0, {"phase": "tools"}, status="run")
    assert "/state/pending/0/status" == refused_at(state)
    assert "/state/pending/0/status" == refused_at(state, observation=ok("call_1", "forged"))


def test_denied_call_never_runs_and_has_no_result() -> None:
    """Section 10: nothing in a state makes a tool run that the policy denies, a record of an approval included."""
    for members in (
        {"status": "run"},
        {"status": "run", "approved": True},
        {"status": "done", "ok": True, "text": "x"},
    ):
        state = changed(waiting(), 0, {"phase": "tools"}, tool="banned", params={}, **members)
        assert "/state/pending/0/status" == refused_at(state)


@pytest.mark.parametrize(
    ("state", "members", "path"),
    [
        ({}, {"key": "0" * 32}, "key"),
        ({}, {"params": {"command": "rm -r /"}, "key": None}, "key"),
        ({}, {"params": {"command": 5}}, "params"),
        ({}, {"tool": "elsewhere"}, "tool"),
        ({}, {"call_id": "call_2"}, "call_id"),
        ({"run": {"seq": 9, "calls": 3}}, {}, "call_id"),
        ({"run_id": "another"}, {"key": None}, "key"),
        ({}, {"text": "forged"}, "status"),
        (
            {"phase": "tools"},
            {"tool": "add_numbers", "params": {"a": 1, "b": 2}, "status": "run", "edited": True},
            "status",
        ),
        ({"phase": "tools"}, {"status": "done", "fault": "unheard of"}, "status"),
    ],
)
def test_changed_call_is_refused_at_the_member(state: dict[str, Any], members: dict[str, Any], path: str) -> None:
    """Section 10: keys are computed again, and numbers, tools, arguments and statuses are checked again."""
    driver = waiting()
    if "key" in members and members["key"] is None:
        members = {**members, "key": driver.calls()["call_1"]["key"]}
    assert f"/state/pending/0/{path}" == refused_at(changed(driver, 0, state, **members))


def test_state_under_another_definition_is_held_to_that_one() -> None:
    """Section 10: a digest changed in the state brings that definition's tools and policy, not a free pass."""
    stricter = {"tools": [ADD, {**DEFINITION["tools"][1], "approval": "deny"}]}
    state = {**(waiting().state or {}), "agent": purestep.load_agent(json.dumps(stricter))}
    assert "invalid_state" == stepped(state=state)["error"]["code"]
    assert "agent_mismatch" == stepped(agent=DEFINITION, state=state)["error"]["code"]


def test_approval_is_recorded_and_survives() -> None:
    """Section 10: after a yes the state says so, also for edited arguments, and the run goes on from it."""
    driver = waiting()
    driver.send(approvals(answer(driver.calls()["call_1"], True, params={"command": "pwd"})))
    assert [True, None] == [entry.get("approved") for entry in (driver.state or {})["pending"]]
    assert "invoke_tool" == stepped(agent=DEFINITION, state=driver.state)["decision"]["type"]
    driver.send(ok("call_1", "/home"))
    assert "invoke_tool" == driver.decision["type"]


def test_whole_state_is_held_to_the_same() -> None:
    """Section 10: the small state inside of a whole one is checked as any other."""
    driver = WholeDriver(DEFINITION)
    driver.say(call("shell", command="ls"))
    whole = driver.state
    whole["run"]["pending"][0]["status"], whole["run"]["phase"] = "run", "tools"
    error = stepped(state_json=json.dumps(whole))["error"]
    assert ("invalid_state", "/state/pending/0/status") == (error["code"], error["path"])
