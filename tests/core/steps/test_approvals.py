"""Approvals: bound to the exact call, asked before anything of a turn runs, never asked twice."""

from typing import Any

import pytest

import purestep
from tests.core.agents import (
    ADD,
    SHELL,
    agent,
    answer,
    approvals,
    call,
    final,
    listed,
    native_call,
    ok,
    results,
    said,
    tool,
)
from tests.core.driver import Driver, stepped

LS, PWD = call("shell", command="ls"), call("shell", command="pwd")


def _asked(*texts: str, **members: Any) -> Driver:
    driver = Driver(agent(**members))
    driver.send(said(listed(*texts)))
    return driver


def test_call_behind_approval_is_asked_about() -> None:
    """B33, R12: the decision shows tool, arguments, key and why a person is asked."""
    (entry,) = _asked(LS).decision["calls"]
    assert ("call_1", "shell", {"command": "ls"}) == (entry["call_id"], entry["tool"], entry["params"])
    assert entry["key"]
    assert entry["reason"]


def test_approved_call_runs_with_the_same_key() -> None:
    """B33: an approved call is handed out as it was shown."""
    driver = _asked(LS)
    key = driver.decision["calls"][0]["key"]
    decision = driver.answer_all(True)
    assert ("invoke_tool", {"command": "ls"}, key) == (decision["type"], decision["params"], decision["key"])


def test_refused_call_goes_back_to_the_model() -> None:
    """R37: a refusal is an error that the model can react to; nothing runs."""
    driver = _asked(LS)
    decision = driver.answer_all(False, reason="not on this machine")
    assert ("call_model", "tool_results") == (decision["type"], decision["reason"])
    assert "not on this machine" in driver.prompt()[-1]["content"]
    assert "refused" in driver.prompt()[-1]["content"]
    act = {"call_id": "call_1", "tool": "shell", "params": {"command": "ls"}, "status": "refused"}
    assert {"type": "done", "answer": "I may not look.", "acts": [act]} == driver.send(said(final("I may not look.")))


def test_same_call_is_not_asked_again_after_a_refusal() -> None:
    """R37: the same call comes back to the model without a person; once more and the run is denied."""
    driver = _asked(LS)
    driver.answer_all(False)
    assert "call_model" == driver.send(said(LS))["type"]
    assert ("failed", "denied") == (driver.send(said(LS))["type"], driver.decision["code"])
    assert 1 == len(driver.events("approval_request"))


def test_same_call_in_another_form_is_the_same_call() -> None:
    """R37: order of keys and number forms do not make a refused call a new one."""
    spec = tool("pay", {"to": {"type": "string"}, "sum": {"type": "number"}}, approval="ask")
    driver = Driver({"tools": [spec]})
    driver.send(said(call("pay", to="Bob", sum=5)))
    driver.answer_all(False)
    text = '{"kind":"tool_call","tool_name":"pay","arguments":{"sum":5.0,"to":"Bob"}}'
    assert "call_model" == driver.send(said(text))["type"]


def test_other_call_is_asked_about_after_a_refusal() -> None:
    """R37: the model may try another way."""
    driver = _asked(LS)
    driver.answer_all(False)
    assert "request_approval" == driver.send(said(PWD))["type"]


@pytest.mark.parametrize("number", [1, 8, 9, 20, 64])
def test_none_of_many_refused_calls_is_asked_again(number: int) -> None:
    """R37: a person who refused a whole list is not asked about any of it again."""
    texts = [call("shell", command=str(index)) for index in range(number)]
    driver = _asked(*texts)
    driver.answer_all(False)
    assert "call_model" == driver.send(said(texts[0]))["type"]


def test_refusal_is_remembered_while_other_tools_run() -> None:
    """R37: other calls in between do not make a person be asked again."""
    driver = _asked(LS)
    driver.answer_all(False)
    for index in range(10):
        driver.send(said(call("add_numbers", a=index, b=1)))
        driver.give_all(f"{index + 1} sum")
    assert "call_model" == driver.send(said(LS))["type"]


def test_new_user_message_may_ask_again() -> None:
    """R37: in a new exchange the user may have changed their mind."""
    driver = _asked(LS)
    driver.answer_all(False)
    driver.send(said(final("Not listed.")))
    driver.send({"type": "user_message", "content": "Do it after all."})
    assert "request_approval" == driver.send(said(LS))["type"]


def test_nothing_runs_before_all_are_answered() -> None:
    """B33: with parallel calls the approval comes first, for those alone that need it."""
    driver = _asked(call("add_numbers", a=1, b=2), LS, PWD)
    assert ["call_2", "call_3"] == list(driver.calls())
    second, third = driver.decision["calls"]
    driver.send(approvals(answer(third, True)))
    assert ("request_approval", ["call_2"]) == (driver.decision["type"], list(driver.calls()))
    driver.send(approvals(answer(second, False)))
    assert ("invoke_tool", ["call_1", "call_3"]) == (driver.decision["type"], list(driver.calls()))


def test_other_calls_of_the_turn_are_not_lost_to_a_refusal() -> None:
    """R37: the calls that were not refused run, and the model reads all results in call order."""
    driver = _asked(LS, call("add_numbers", a=1, b=2))
    driver.answer_all(False)
    driver.give_all(3)
    text = driver.prompt()[-1]["content"]
    assert text.index("refused") < text.index("Result of add_numbers: 3")


def test_refused_calls_stand_as_tool_messages_in_native_form() -> None:
    """C17: each refused call has its tool message."""
    driver = Driver(agent(dialect="native"))
    driver.send(said(None, tool_calls=[native_call("shell", {"command": "a"}), native_call("shell", {"command": "b"})]))
    driver.answer_all(False)
    assert ["call_1", "call_2"] == [message["tool_call_id"] for message in driver.messages[-2:]]


def test_edited_arguments_get_a_new_key() -> None:
    """Section 6: edited arguments run in place of the call's own, under a key of their own."""
    driver = _asked(LS)
    key = driver.decision["calls"][0]["key"]
    decision = driver.answer_all(True, params={"command": "ls -l"})
    assert {"command": "ls -l"} == decision["params"]
    assert key != decision["key"]
    assert "call_1" == decision["call_id"]


def test_arguments_edited_to_the_same_keep_the_key() -> None:
    """Section 6: what changes nothing changes no key."""
    driver = _asked(LS)
    key = driver.decision["calls"][0]["key"]
    assert key == driver.answer_all(True, params={"command": "ls"})["key"]


@pytest.mark.parametrize(("own", "edited"), [(1, True), (0, False), (True, 1)])
def test_edit_that_only_python_takes_for_equal_gets_a_new_key(own: Any, edited: Any) -> None:
    """Section 6: 1 and true are different arguments, so they have different keys."""
    driver = Driver({"tools": [tool("set", {"value": {}}, approval="ask")]})
    driver.send(said(call("set", value=own)))
    key = driver.decision["calls"][0]["key"]
    assert key != driver.answer_all(True, params={"value": edited})["key"]


def test_edited_arguments_are_checked_again() -> None:
    """Section 6: an edit that does not fit the tool is refused with its path and changes nothing."""
    driver = _asked(LS)
    for params in ({"command": 7}, {}):
        error = driver.answer_all(True, params=params)
        assert "invalid_arguments" == error["code"]
        assert error["path"].startswith("/observation/approvals/0/params")
    assert "request_approval" == driver.decision["type"]
    assert "invoke_tool" == driver.answer_all(True)["type"]


def test_edit_of_a_refused_call_is_of_no_effect() -> None:
    """A refusal with edited arguments is a refusal."""
    assert "call_model" == _asked(LS).answer_all(False, params={"command": 7})["type"]


@pytest.mark.parametrize("key", ["", "0" * 32, "forged"])
def test_forged_key_is_refused(key: str) -> None:
    """Section 6: an approval must name the key of the call as it stands."""
    driver = _asked(LS)
    entry = {"call_id": "call_1", "key": key, "approved": True}
    assert "stale_approval" == driver.send(approvals(entry))["code"]
    assert "request_approval" == driver.decision["type"]


def test_approval_of_an_earlier_call_does_not_count_for_a_later_one() -> None:
    """Section 6: the same command again is another call and needs its own approval."""
    driver = _asked(LS)
    old = answer(driver.decision["calls"][0], True)
    driver.answer_all(True)
    driver.give_all("a.txt b.txt")
    driver.send(said(LS))
    assert "unknown_call" == driver.send(approvals(old))["code"]
    assert "stale_approval" == driver.send(approvals({**old, "call_id": "call_2"}))["code"]


def test_approval_of_another_run_does_not_count() -> None:
    """Section 6: keys are made of the run's id."""
    driver = _asked(LS)
    other = stepped(agent=agent(), run_id="run-2", observation={"type": "user_message", "content": "Hello"})
    other = stepped(agent=agent(), state=other["state"], observation=said(LS))
    assert "stale_approval" == driver.send(approvals(answer(other["decision"]["calls"][0], True)))["code"]


def test_one_wrong_approval_refuses_the_whole_observation() -> None:
    """A refused step changes nothing: the good approval beside a forged one is not taken."""
    driver = _asked(LS, PWD)
    first, second = driver.decision["calls"]
    assert "stale_approval" == driver.send(approvals(answer(first, True), {**answer(second, True), "key": "x"}))["code"]
    assert ["call_1", "call_2"] == list(driver.calls())


def test_doubled_approval_is_refused() -> None:
    """Section 5: a call is answered once."""
    driver = _asked(LS, PWD)
    entry = answer(driver.decision["calls"][0], True)
    assert "duplicate_approval" == driver.send(approvals(entry, entry))["code"]
    driver.send(approvals(entry))
    assert "duplicate_approval" == driver.send(approvals(entry))["code"]


def test_answers_that_fit_no_call_are_told_what_to_do() -> None:
    """Each says which calls wait, also where all of them are answered before it in the same observation."""
    driver = _asked(LS, call("add_numbers", a=1, b=2))
    entry = answer(driver.decision["calls"][0], True)
    stranger = {"call_id": "call_9", "key": "x", "approved": True}
    said_of = [
        ((entry, entry), "expected one answer about call_1; got two: leave one out"),
        (
            ({**entry, "call_id": "call_2"},),
            "expected answers about call_1 only; call_2 does not wait for approval: leave its answer out",
        ),
        ((entry, stranger), 'expected one of call_1; got "call_9"'),
        (
            ({**entry, "key": "x"},),
            "expected the key of call_1 as it waits now; got another: show the call to a person again, and send the "
            "answer with its key",
        ),
        ((), "expected an answer about a call; got none"),
    ]
    assert [words for _, words in said_of] == [driver.send(approvals(*entries))["message"] for entries, _ in said_of]


def test_empty_and_unknown_approvals_are_refused() -> None:
    """Section 5: an approval names a call that waits."""
    driver = _asked(LS)
    assert "invalid_input" == driver.send(approvals())["code"]
    unknown = {"call_id": "call_7", "key": "x", "approved": True}
    assert "unknown_call" == driver.send(approvals(unknown))["code"]


def test_result_of_a_call_that_waits_is_refused() -> None:
    """B33: a result for a call that nobody approved is not taken, in whatever phase."""
    driver = _asked(LS, call("add_numbers", a=1, b=2))
    for call_id in ("call_1", "call_2"):
        error = driver.send(ok(call_id, "ran anyway"))
        assert error["code"] in ("not_approved", "wrong_phase")
    assert "ran anyway" not in driver.log


def test_result_of_a_refused_call_is_refused() -> None:
    """B33: a result for a refused call is not taken."""
    driver = _asked(LS, call("add_numbers", a=1, b=2))
    driver.answer_all(False)
    assert "duplicate_result" == driver.send(ok("call_1", "ran anyway"))["code"]


def test_forged_and_doubled_results_are_refused() -> None:
    """Section 5: a result names a pending call once."""
    driver = Driver(agent())
    driver.send(said(listed(call("add_numbers", a=1, b=2), call("add_numbers", a=2, b=2))))
    entry = ok("call_1", 3)["results"][0]
    codes = [
        driver.send(results(*entries)).get("code") for entries in ([], [{**entry, "call_id": "x"}], [entry, entry])
    ]
    assert ["invalid_input", "unknown_call", "duplicate_result"] == codes
    driver.send(results(entry))
    assert "duplicate_result" == driver.send(results(entry))["code"]
    assert ["call_2"] == list(driver.calls())


POLICIES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {}, "auto"),
    ({"approval": "ask"}, {}, "ask"),
    ({"approval": "deny"}, {}, "deny"),
    ({}, {"default": "ask"}, "ask"),
    ({}, {"default": "deny"}, "deny"),
    ({"approval": "auto"}, {"default": "deny"}, "auto"),
    ({"approval": "auto"}, {"tools": {"t": "ask"}}, "ask"),
    ({"approval": "deny"}, {"tools": {"t": "auto"}}, "auto"),
    ({}, {"default": "ask", "tools": {"t": "auto"}}, "auto"),
    ({"annotations": {"destructiveHint": True}}, {}, "ask"),
    ({"annotations": {"destructiveHint": True}, "approval": "auto"}, {}, "auto"),
    ({"annotations": {"destructiveHint": False}}, {}, "auto"),
    ({"annotations": {"readOnlyHint": True}}, {"default": "ask"}, "ask"),
]


@pytest.mark.parametrize(("spec", "policy", "rule"), POLICIES)
def test_policy_per_tool_wins_over_the_tools_rule_and_the_default(
    spec: dict[str, Any], policy: dict[str, Any], rule: str
) -> None:
    """B33: the definition's rule for a tool, else the tool's own, else a destructive hint, else the default."""
    decision = Driver({"tools": [tool("t", **spec)], "approval": policy}).send(said(call("t")))
    assert {"auto": "invoke_tool", "ask": "request_approval", "deny": "call_model"}[rule] == decision["type"]


def test_denied_tool_never_runs() -> None:
    """B33: a denied call goes back as an error; again, it is told so; again, the run is denied."""
    driver = Driver(agent())
    assert "call_model" == driver.send(said(call("banned")))["type"]
    assert "not allowed" in driver.prompt()[-1]["content"]
    assert "call_model" == driver.send(said(call("banned")))["type"]
    assert ("failed", "denied") == (driver.send(said(call("banned")))["type"], driver.decision["code"])
    assert [] == driver.events("tool_call")


@pytest.mark.parametrize(
    "policy", [{"tools": {"nope": "ask"}}, {"default": "maybe"}, {"tool": {}}, {"tools": {"t": "x"}}]
)
def test_wrong_policy_is_refused(policy: dict[str, Any]) -> None:
    """B33: a policy for a tool that does not exist is a mistake that would leave a tool unguarded."""
    error = Driver({"tools": [tool("t")], "approval": policy}).send({"type": "user_message", "content": "x"})
    assert "invalid_agent" == error["code"]


def test_approval_is_in_the_log_with_who_and_why() -> None:
    """E29: approvals asked and given are facts of the log."""
    driver = _asked(LS)
    driver.answer_all(True, by="alice", reason="known command", params={"command": "ls -l"})
    (request,), (given,) = driver.events("approval_request"), driver.events("approval")
    assert request["key"] == given["key"]
    assert (True, "alice", "known command") == (given["approved"], given["by"], given["reason"])
    assert {"command": "ls -l"} == given["params"]


def test_waiting_approval_survives_a_restart() -> None:
    """Approvals are not lost on reload: the state alone, and the log alone, ask for the same ones again."""
    driver = _asked(LS, PWD)
    driver.send(approvals(answer(driver.decision["calls"][1], True)))
    assert driver.decision == stepped(agent=agent(), state=driver.state)["decision"]
    replayed = purestep.replay_log(driver.log)
    assert f'"key":"{driver.decision["calls"][0]["key"]}"' in replayed


def test_approval_in_another_phase_is_refused() -> None:
    """Section 6: nobody can approve before being asked."""
    driver = Driver({"tools": [ADD, SHELL]})
    entry = {"call_id": "call_1", "key": "x", "approved": True}
    assert "wrong_phase" == driver.send(approvals(entry))["code"]
