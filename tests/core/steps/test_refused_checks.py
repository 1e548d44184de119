"""Check tools that no definition may have, and states of checks that somebody changed: refused with their path."""

from typing import Any

import pytest

from purestep.json_text import call_key, call_signature
from tests.core.agents import tool
from tests.core.check_runs import PAY, RULE, check_result, checked, paid_run
from tests.core.driver import stepped


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"tool": "nobody"}, "/tools/0/checks/0/tool"),
        ({"tool": "pay"}, "/tools/0/checks/0/tool"),
        ({"tool": "drop"}, "/tools/0/checks/0/tool"),
        ({"tool": "asked"}, "/tools/0/checks/0/tool"),
        ({"tool": "checked"}, "/tools/0/checks/0/tool"),
        ({"params": {"paid": "/output/paid", "size": "/output"}}, "/tools/0/checks/0/params/size"),
        ({"params": {"to": "/arguments/to"}}, "/tools/0/checks/0/params"),
        ({"params": {"paid": "/paid"}}, "/tools/0/checks/0/params/paid"),
        ({"params": {"paid": "/arguments/from"}}, "/tools/0/checks/0/params/paid"),
        ({"tool": None, "pattern": "x"}, "/tools/0/checks/0/params"),
        ({"params": {"paid": "/results/pay/paid"}}, "/tools/0/checks/0/params/paid"),
    ],
)
def test_a_check_that_cannot_be_is_refused_with_its_path(change: dict[str, Any], path: str) -> None:
    """A definition whose check is no tool, acts, asks, is judged itself, or takes other arguments is refused."""
    others = [
        tool("drop", annotations={"destructiveHint": True}),
        tool("asked", annotations={"readOnlyHint": True}, approval="ask"),
        tool("checked", annotations={"readOnlyHint": True}, checks=[{"pattern": "x"}]),
    ]
    spec = {**PAY, "checks": [{**RULE, **change}]}
    output = stepped(agent=checked(spec, *others), observation={"type": "user_message", "content": "x"}, run_id="r")
    assert ("invalid_agent", path) == (output["error"]["code"], output["error"]["path"])


def test_checks_stand_at_the_top_of_a_list_and_are_bounded() -> None:
    """Inside other conditions a check is refused, and so are more than eight of one list."""
    nested = [{"any": [RULE]}, {"not": RULE}]
    for condition, inner in zip(nested, ("/any/0", "/not"), strict=True):
        agent = checked({**PAY, "checks": [condition]})
        error = stepped(agent=agent, observation={"type": "user_message", "content": "x"}, run_id="r")["error"]
        assert f"/tools/0/checks/0{inner}/tool" == error["path"]
    for agent, path in (
        (checked({**PAY, "checks": [RULE] * 9}), "/tools/0/checks"),
        (
            {**checked(PAY), "checks": [{"use": "obligation", "tools": ["balance_ok"]}]},
            "/checks/0/tools",
        ),
        ({**checked(PAY), "tool_choice": {"tool": "balance_ok"}}, "/tool_choice/tool"),
    ):
        error = stepped(agent=agent, observation={"type": "user_message", "content": "x"}, run_id="r")["error"]
        assert ("invalid_agent", path) == (error["code"], error["path"])


def _with(pending: int, **members: Any) -> Any:
    def change(state: dict[str, Any]) -> None:
        state["pending"][pending] |= members

    return change


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (_with(1, checks="call_7"), "/pending/1/checks"),
        (_with(1, checks="call_2"), "/pending/1/checks"),
        (_with(1, condition=3), "/pending/1/condition"),
        (_with(1, checks="answer"), "/pending/1/condition"),
        (_with(1, checks=""), "/pending/1/tool"),
        (_with(1, status="approval"), "/phase"),
        (_with(1, approved=True), "/pending/1/checks"),
        (_with(1, said="x"), "/pending/1/checks"),
        (_with(0, said="x"), "/exchange/judged"),
        (_with(0, status="run", ok=False, text=""), "/pending/1/status"),
        (_with(0, checks="call_2", status="run", ok=False, text=""), "/pending/0/checks"),
        (lambda state: state["exchange"].update(judged={"answer": "x"}), "/exchange/judged"),
    ],
)
def test_a_changed_state_of_a_check_is_refused(change: Any, path: str) -> None:
    """A pending check has to be one that a check of the definition makes."""
    driver = paid_run()
    change(driver.state)
    error = driver.send(check_result("call_2", True))
    assert ("invalid_state", f"/state{path}") == (error["code"], error["path"])


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("params", {"to": "Eve"}),
        ("params", {"currency": "USD"}),
        ("params", {"paid": "much"}),
        ("tool", "run_tests"),
        ("tool", "pay"),
    ],
)
def test_another_check_under_a_fitting_key_is_refused(member: str, change: Any) -> None:
    """The tool is the check's; arguments that the output does not give are the call's and the definition's."""
    driver = paid_run()
    assert driver.state is not None
    check = driver.state["pending"][1]
    check[member] = {**check["params"], **change} if member == "params" else change
    check["key"] = call_key("run-1", 2, call_signature(check["tool"], check["params"]))
    error = driver.send(check_result("call_2", True))
    assert ("invalid_state", f"/state/pending/1/{member}") == (error["code"], error["path"])
