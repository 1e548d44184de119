"""Check tools: a tool of the host judges an output, and its verdict counts like that of any check."""

import json
from typing import Any

import pytest

from tests.core.agents import call, final, native_call, results, said, tool
from tests.core.agents import result as given
from tests.core.check_runs import (
    ANSWERED,
    PAY,
    RULE,
    check_result,
    checked,
    paid_run,
)
from tests.core.driver import Driver, assert_replays


def test_an_accepted_output_is_checked_by_a_tool_first() -> None:
    """After an output that passes, the check is called with values of it, of the arguments and of the definition."""
    driver = paid_run()
    [check] = driver.decision["calls"]
    expected = ("balance_ok", {"paid": 5, "to": "Ann", "currency": "EUR"}, "call_1")
    assert expected == (check["tool"], check["params"], check["checks"])
    assert [] == driver.events("verdict")
    driver.send(check_result("call_2", True))
    assert ("call_model", "tool_results") == (driver.decision["type"], driver.decision["reason"])
    kinds = [(event["verdict"], event.get("check"), event["call_id"]) for event in driver.events("verdict")]
    assert [("accept", "tool", "call_1"), ("accept", None, "call_1")] == kinds
    assert '{"paid":5}' in driver.messages[-1]["content"]
    assert_replays(driver)


def test_a_rejected_output_is_corrected_once_and_then_fails_with_what_can_be_done() -> None:
    """A rejection leads to what that of any check leads to; the failure names the check and what to do."""
    driver = paid_run()
    driver.send(check_result("call_2", False, reason="no money arrived"))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "rejected: no money arrived" in driver.messages[-1]["content"]
    assert "do not make it again" in driver.messages[-1]["content"]
    driver.send(said(call("pay", to="Bob")))
    driver.send(results(given("call_3", {"paid": 5})))
    driver.send(check_result("call_4", False))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])
    assert "balance_ok, put that right" in driver.decision["message"]
    assert_replays(driver)


def test_an_answer_without_an_accepted_result_fails() -> None:
    """What a check has rejected is no basis for an answer."""
    driver = paid_run()
    driver.send(check_result("call_2", False))
    driver.send(said(final("It is paid.")))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])


@pytest.mark.parametrize(
    "output",
    [
        "yes",
        True,
        None,
        {},
        {"accept": "true"},
        {"accept": 1},
        {"accept": None},
        {"reason": "fine"},
        {"accept": True, "score": 1},
        {"accept": True, "reason": 5},
        [{"accept": True}],
        '{"accept": true}',
        {"Accept": True},
        {"accept": [True]},
    ],
)
def test_another_shape_is_no_acceptance(output: Any) -> None:
    """Only an object with accept, a boolean, and a reason as text is a verdict; anything else says that it failed."""
    driver = paid_run()
    driver.send(results(given("call_2", output)))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "its check failed: expected accept and reason" in driver.messages[-1]["content"]


@pytest.mark.parametrize("error", [{"error": "no such account"}, {"error": "stopped", "error_kind": "interrupted"}, {}])
def test_a_check_that_fails_accepts_nothing(error: dict[str, Any]) -> None:
    """An error of the check, or no result of it, is a rejection that says so."""
    driver = paid_run()
    driver.send({"type": "tool_results", "results": [{"call_id": "call_2", "ok": False, **error}]})
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert f"its check failed: {error.get('error', 'it ended')}" in driver.messages[-1]["content"]


def test_the_words_of_the_definition_replace_a_reason_but_no_failure() -> None:
    """`message` stands instead of the check's reason; that a check failed is said openly all the same."""
    worded = {**PAY, "checks": [{**RULE, "message": "the bank has not got it"}]}
    for output, words in (({"accept": False, "reason": "x"}, "the bank has not got it"), (7, "its check failed")):
        driver = Driver(checked(worded))
        driver.send(said(call("pay", to="Ann")))
        driver.send(results(given("call_1", {"paid": 5})))
        driver.send(results(given("call_2", output)))
        assert words in driver.messages[-1]["content"]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"sum": 5}, "/output/paid names nothing that is there"),
        ({"paid": "much"}, "paid"),
        ("paid", "/output/paid names nothing that is there"),
    ],
)
def test_a_check_that_cannot_be_called_rejects(output: Any, words: str) -> None:
    """Where there is nothing to check, or the check does not take it, the output is rejected without a call."""
    driver = paid_run(output)
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert words in driver.messages[-1]["content"]
    assert 1 == len(driver.events("tool_call"))


def test_what_is_too_long_or_too_deep_is_not_checked() -> None:
    """What a check would look at is bounded in bytes and nesting; past that the output is rejected."""
    spec = tool("read", checks=[{"tool": "run_tests", "params": {"said": "/output"}}])
    deep: Any = 1
    for _ in range(56):
        deep = [deep]
    for output, words in (("x" * 262_144, "longer than 262144 bytes"), (deep, None), ([deep], "nested more than 56")):
        driver = Driver(checked(spec))
        driver.send(said(call("read")))
        driver.send(results(given("call_1", output)))
        if words is None:
            assert "invoke_tool" == driver.decision["type"]
            assert "call_model" == driver.send(check_result("call_2", True))["type"]
        else:
            assert words in driver.messages[-1]["content"]


def test_data_is_judged_before_a_check_is_called() -> None:
    """What the definition's data rejects already is not shown to a check."""
    spec = {**PAY, "checks": [RULE, {"not": {"pattern": "lost"}}]}
    for note, checks in (("lost", []), ("kept", ["call_2"])):
        driver = Driver(checked(spec))
        driver.send(said(call("pay", to="Ann")))
        driver.send(results(given("call_1", {"paid": 5, "note": note})))
        assert (["not"] * (not checks)) == [each["check"] for each in driver.events("verdict")]
        assert checks == [each["call_id"] for each in driver.events("tool_call")[1:]]


def test_two_checks_both_have_to_accept_in_any_order() -> None:
    """All checks of an output run at once; the output is accepted with the last one, or rejected by any."""
    spec = {**PAY, "checks": [RULE, {"tool": "run_tests", "params": {"said": "/output/paid"}}]}
    for order, verdicts, reason in (
        (("call_2", "call_3"), (True, True), "tool_results"),
        (("call_3", "call_2"), (True, True), "tool_results"),
        (("call_3", "call_2"), (False, True), "correction"),
        (("call_2", "call_3"), (False, False), "correction"),
    ):
        driver = Driver(checked(spec))
        driver.send(said(call("pay", to="Ann")))
        driver.send(results(given("call_1", {"paid": 5})))
        assert ["call_2", "call_3"] == [entry["call_id"] for entry in driver.decision["calls"]]
        for call_id, accept in zip(order, verdicts, strict=True):
            assert "invoke_tool" == driver.decision["type"]
            driver.send(check_result(call_id, accept))
        assert reason == driver.decision["reason"]
        assert_replays(driver)


def test_checks_of_a_parallel_turn_run_beside_its_other_calls() -> None:
    """A check is due as soon as its output has come; the model is asked once all calls and checks have theirs."""
    definition = checked(PAY, dialect="native", limits={"max_parallel": 2})
    driver = Driver(definition)
    driver.send(said(None, tool_calls=[native_call("pay", {"to": name}) for name in ("Ann", "Bob", "Eve")]))
    driver.send(results(given("call_2", {"paid": 2})))
    assert ["call_1", "call_3"] == [entry["call_id"] for entry in driver.decision["calls"]]
    driver.send(results(given("call_1", {"paid": 1}), given("call_3", {"paid": 3})))
    found = [(entry["call_id"], entry["checks"], entry["params"]["paid"]) for entry in driver.decision["calls"]]
    assert [("call_4", "call_2", 2), ("call_5", "call_1", 1)] == found
    driver.send(results(given("call_5", {"accept": True}), given("call_4", {"accept": False, "reason": "two"})))
    driver.send(check_result("call_6", True))
    said_to_model = [(each["role"], each["tool_call_id"]) for each in driver.messages[-3:]]
    assert [("tool", "call_1"), ("tool", "call_2"), ("tool", "call_3")] == said_to_model
    assert "was rejected: two" in driver.messages[-2]["content"]
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert_replays(driver)


def test_one_observation_with_all_results_is_logged_as_many() -> None:
    """Results sent together leave the log, and the state, of results sent one by one."""
    logs = []
    for together in (True, False):
        driver = Driver(checked(PAY, dialect="native"))
        driver.send(said(None, tool_calls=[native_call("pay", {"to": "Ann"}), native_call("pay", {"to": "Bob"})]))
        both = [given("call_1", {"paid": 1}), given("call_2", {"paid": 2})]
        for batch in [both] if together else [[each] for each in both]:
            driver.send(results(*batch))
        driver.send(results(given("call_3", {"accept": True}), given("call_4", {"accept": True})))
        logs.append((driver.log, driver.state))
    assert logs[0] == logs[1]


def test_the_model_neither_sees_nor_calls_a_check() -> None:
    """A check tool is in no prompt and no constraint, and a call of it is a call of no tool."""
    for members in ({}, {"dialect": "native"}, {"dialect": "tool_tags"}, {"dialect": "hermes_json"}):
        driver = Driver(checked(PAY, checks=[ANSWERED], **members))
        offered = json.dumps([driver.messages, driver.decision])
        assert "pay" in offered
        assert "balance_ok" not in offered
        assert "run_tests" not in offered
    driver = Driver(checked(PAY, checks=[ANSWERED]))
    driver.send(said(call("balance_ok", paid=5)))
    assert ("correction", "unknown_tool") == (driver.decision["reason"], driver.decision["cause"])
    assert "The tools are: pay." in driver.messages[-1]["content"]


def test_a_check_counts_as_a_call_and_no_call_begins_that_could_not_be_checked() -> None:
    """A budget of calls has room for a call and its checks, or the call does not begin."""
    driver = paid_run(limits={"max_tool_calls": 2})
    assert 2 == (driver.state or {})["exchange"]["used"]["tool_calls"]
    driver = Driver(checked(PAY, limits={"max_tool_calls": 1}))
    driver.send(said(call("pay", to="Ann")))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])
    driver = Driver(checked(PAY, limits={"max_tool_calls": 2}, checks=[ANSWERED]))
    driver.send(said(call("pay", to="Ann")))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])


def test_a_rejected_effect_is_not_had_twice_unasked() -> None:
    """A destructive call whose output a check rejected has had its effect: the same call asks a person."""
    spec = {**PAY, "annotations": {"destructiveHint": True}, "approval": "auto"}
    driver = Driver(checked(spec))
    driver.send(said(call("pay", to="Ann")))
    driver.send(results(given("call_1", {"paid": 5})))
    driver.send(check_result("call_2", False))
    driver.send(said(call("pay", to="Ann")))
    assert ("request_approval", "same_effect") == (driver.decision["type"], driver.decision["calls"][0]["reason"])


def test_edited_arguments_are_those_that_are_checked() -> None:
    """What a person wrote into a call is what its check is shown, and what the model is told of a rejection."""
    driver = Driver(checked({**PAY, "approval": "ask"}))
    driver.send(said(call("pay", to="Ann")))
    driver.answer_all(approved=True, params={"to": "Bob"})
    driver.send(results(given("call_1", {"paid": 5})))
    assert "Bob" == driver.decision["params"]["to"]
    driver.send(check_result("call_2", False, reason="not Bob"))
    assert 'changed the arguments to {"to":"Bob"}.) The output of pay was rejected' in driver.messages[-1]["content"]
    assert_replays(driver)


def test_after_a_stop_only_the_check_runs_again() -> None:
    """A check that was handed out runs again without a person, and what it judges does not."""
    driver = paid_run()
    before = driver.decision
    driver.send({"type": "resumed"})
    assert before == driver.decision
    driver.send(check_result("call_2", True))
    assert "tool_results" == driver.decision["reason"]
    assert_replays(driver)


def test_a_check_that_lost_three_hosts_ends_the_run() -> None:
    """Nobody can approve what judges an output: the run fails openly, and names the call."""
    driver = paid_run()
    for _ in range(3):
        driver.send({"type": "resumed"})
    assert ("failed", "outcome_unknown") == (driver.decision["type"], driver.decision["code"])
    assert_replays(driver)


def test_a_cancelled_check_leaves_its_output_unaccepted() -> None:
    """Where a run ends while a check is out, the transcript says that the output was not checked."""
    driver = paid_run()
    driver.send({"type": "cancel"})
    assert "cancelled" == driver.decision["code"]
    assert "The output of pay was not checked: the run was cancelled." in driver.messages[-1]["content"]
    assert '{"paid":5}' not in driver.messages[-1]["content"]
    assert_replays(driver)


def test_a_rejected_output_is_no_evidence_and_is_not_read_on() -> None:
    """Later checks find values in accepted outputs only, and a rejected output cannot be read on in."""
    find = tool("find", checks=[{"tool": "run_tests", "params": {"said": "/output"}}], max_output_chars=10)
    for accept in (True, False):
        driver = Driver(checked(find, policies=[{"use": "read_output"}], checks=["values"]))
        driver.send(said(call("find")))
        driver.send(results(given("call_1", "Ann Lee and Bob Ray")))
        assert "said" in (driver.state or {})["pending"][0]
        driver.send(check_result("call_2", accept))
        assert accept == ("cut" in driver.state["exchange"])
        assert accept == ("Bob Ray" in (driver.state or {})["exchange"]["evidence"].get("results", ""))
        assert_replays(driver)
