"""Limits: turns, calls, tokens, deadlines; each ends in its own error, none swallows an answer."""

from typing import Any

import pytest

from tests.core.agents import agent, answer, approvals, call, final, listed, ok, result, results, said
from tests.core.driver import Driver


def _add(number: int, **members: Any) -> dict[str, Any]:
    return said(call("add_numbers", a=number, b=1), **members)


def _turns(driver: Driver, number: int, **members: Any) -> Driver:
    for _ in range(number):
        driver.send(_add(driver.state["run"]["calls"] + 10, **members))
        if driver.decision["type"] == "invoke_tool":
            driver.give_all("sum {}".format(driver.state["run"]["calls"]))
    return driver


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_turn_limit_ends_in_its_own_error(limit: int) -> None:
    """A5, C16: after max_turns outputs without an answer the run fails with code max_turns."""
    driver = _turns(Driver(agent(limits={"max_turns": limit})), limit)
    assert ("failed", "max_turns", limit) == (
        driver.decision["type"],
        driver.decision["code"],
        driver.state["exchange"]["used"]["turns"],
    )
    assert {"max_turns": limit} == driver.decision["detail"]


def test_default_limits() -> None:
    """Section 4: five turns in the bare form, twenty with a definition."""
    driver = _turns(Driver(agent()), 20)
    assert ("max_turns", 20) == (driver.decision["code"], driver.decision["detail"]["max_turns"])


def test_answer_in_the_last_turn_counts() -> None:
    """A5: an answer at the limit is an answer."""
    driver = _turns(Driver(agent(limits={"max_turns": 3})), 2)
    assert "done" == driver.send(said(final("x")))["type"]


def test_corrections_count_as_turns() -> None:
    """A5: a correction cannot go past the turn limit."""
    driver = Driver(agent(limits={"max_turns": 1}))
    decision = driver.send(said("prose"))
    assert ("failed", "max_turns", "parse_error") == (decision["type"], decision["code"], decision["detail"]["cause"])


def test_limit_is_for_each_exchange() -> None:
    """Section 4: a new user message gets its own turns."""
    driver = _turns(Driver(agent(limits={"max_turns": 2})), 2)
    driver.send({"type": "user_message", "content": "Go on."})
    assert "done" == _turns(driver, 1).send(said(final("x")))["type"]


def test_tool_call_budget() -> None:
    """Section 4: the call beyond max_tool_calls is not handed out."""
    driver = _turns(Driver(agent(limits={"max_tool_calls": 2})), 2)
    assert "call_model" == driver.decision["type"]
    decision = driver.send(_add(50))
    assert ("failed", "budget", "max_tool_calls") == (decision["type"], decision["code"], decision["detail"]["limit"])
    assert 2 == len(driver.events("tool_call"))


def test_answer_after_the_last_call_counts() -> None:
    """Section 4: a used-up call budget still lets the model answer."""
    driver = _turns(Driver(agent(limits={"max_tool_calls": 1})), 1)
    assert "done" == driver.send(said(final("x")))["type"]


def test_parallel_calls_over_the_budget_run_none() -> None:
    """Section 4: of a turn that is over the budget no call runs."""
    driver = Driver(agent(limits={"max_tool_calls": 1}))
    driver.send(said(listed(call("add_numbers", a=1, b=1), call("add_numbers", a=2, b=1))))
    assert ("budget", []) == (driver.decision["code"], driver.events("tool_call"))


@pytest.mark.parametrize(
    ("name", "usage"), [("max_input_tokens", "prompt_tokens"), ("max_output_tokens", "completion_tokens")]
)
def test_token_budget(name: str, usage: str) -> None:
    """Section 4: a token budget that is used up allows no further model call."""
    driver = _turns(Driver(agent(limits={name: 100})), 1, usage={usage: 60})
    assert "call_model" == driver.decision["type"]
    _turns(driver, 1, usage={usage: 40})
    assert ("failed", "budget", name) == (
        driver.decision["type"],
        driver.decision["code"],
        driver.decision["detail"]["limit"],
    )


def test_answer_over_the_token_budget_counts() -> None:
    """Section 4: an answer that is there is not thrown away."""
    driver = Driver(agent(limits={"max_output_tokens": 10}))
    assert "done" == driver.send(said(final("x"), usage={"completion_tokens": 500}))["type"]


def test_servers_counting_nonsense_does_not_break_the_run() -> None:
    """A step never makes a state that the next step refuses."""
    driver = _turns(Driver(agent()), 3, usage={"prompt_tokens": 2**53 - 1, "completion_tokens": 2**53 - 1})
    assert "done" == driver.send(said(final("x")))["type"]


def test_deadline_is_computed_from_the_hosts_clock() -> None:
    """Section 5: time is data; past the deadline no model call and no tool call is asked for."""
    driver = Driver(agent(limits={"deadline_ms": 1000}), at=5000)
    assert "invoke_tool" == driver.send(_add(1, at=6000))["type"]
    decision = driver.send({**ok("call_1", "two"), "at": 6001})
    assert ("failed", "deadline") == (decision["type"], decision["code"])
    assert {"deadline_ms": 1000, "elapsed_ms": 1001} == decision["detail"]


def test_call_past_the_deadline_is_not_handed_out() -> None:
    """Section 5: a call that comes too late does not run."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    assert "deadline" == driver.send(_add(1, at=11))["code"]
    assert [] == driver.events("tool_call")


def test_approval_past_the_deadline_runs_nothing() -> None:
    """Section 5: a person may answer too late."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    driver.send(said(call("shell", command="ls"), at=5))
    decision = driver.send(approvals(answer(driver.decision["calls"][0], True), at=99))
    assert "deadline" == decision["code"]


def test_answer_past_the_deadline_counts() -> None:
    """Section 5: an answer that is there is not thrown away."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    assert "done" == driver.send(said(final("x"), at=1000))["type"]


def test_without_a_clock_there_is_no_deadline() -> None:
    """Section 5: `at` is optional on each observation."""
    driver = Driver(agent(limits={"deadline_ms": 10}))
    assert "invoke_tool" == driver.send(_add(1, at=10_000))["type"]
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    assert "invoke_tool" == driver.send(_add(1))["type"]


def test_clock_that_goes_back_is_no_deadline() -> None:
    """Section 5: a host's clock may be set back; nothing underflows."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=1_000_000)
    assert "invoke_tool" == driver.send(_add(1, at=0))["type"]


def test_deadline_is_for_each_exchange() -> None:
    """Section 5: the clock of an exchange starts with its user message."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    driver.send(said(final("x"), at=5))
    driver.send({"type": "user_message", "content": "more", "at": 100_000})
    assert "invoke_tool" == driver.send(_add(1, at=100_009))["type"]


def test_last_of_two_results_past_the_deadline_ends_the_run() -> None:
    """Section 5: between results nothing new is handed out, so the deadline ends the run once all are there."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    driver.send(said(listed(call("add_numbers", a=1, b=1), call("add_numbers", a=2, b=1)), at=1))
    assert "invoke_tool" == driver.send({**ok("call_2", "three"), "at": 50})["type"]
    assert ["call_1"] == [entry["call_id"] for entry in driver.decision["calls"]]
    assert "deadline" == driver.send({**ok("call_1", "two"), "at": 60})["code"]


@pytest.mark.parametrize("number", [0, 1])
def test_results_that_come_together_past_the_deadline_are_all_recorded(number: int) -> None:
    """E29: both results are facts, whatever became of the run."""
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    driver.send(said(listed(call("add_numbers", a=1, b=1), call("add_numbers", a=2, b=1)), at=1))
    driver.send(results(result("call_1", "two"), result("call_2", "three"), at=50))
    assert ("failed", "deadline") == (driver.decision["type"], driver.decision["code"])
    assert ["two", "three"][number] == driver.events("tool_result")[number]["output"]


@pytest.mark.parametrize(
    "limits",
    [{"max_turns": 0}, {"max_turns": -1}, {"max_turns": 1.5}, {"max_turns": "5"}, {"turns": 5}, {"deadline_ms": 0}, []],
)
def test_wrong_limits_are_refused(limits: Any) -> None:
    """Section 4: a limit that is misspelt or out of range is refused with its path."""
    error = Driver(agent(limits=limits)).send({"type": "user_message", "content": "x"})
    assert "invalid_agent" == error["code"]
    assert error["path"].startswith("/limits")


@pytest.mark.parametrize("at", [-1, 1.5, "now", 2**53, True])
def test_wrong_clocks_are_refused(at: Any) -> None:
    """Section 5: `at` is milliseconds as a whole number."""
    driver = Driver(agent())
    assert "invalid_input" == driver.send(said(final("x"), at=at))["code"]


@pytest.mark.parametrize(("limits", "most"), [({}, 8), ({"max_parallel": 1}, 1), ({"max_parallel": 64}, 20)])
def test_decision_holds_no_more_calls_than_may_run_at_once(limits: dict[str, Any], most: int) -> None:
    """Section 10, max_parallel: the first calls without a result, in order, until every call has one."""
    driver = Driver(agent(dialect="native", limits=limits))
    driver.send(_native(20))
    seen: list[list[str]] = []
    while driver.decision["type"] == "invoke_tool":
        seen.append(list(driver.calls()))
        driver.give_all(len(seen))
    assert [f"call_{number}" for number in range(1, 21)] == [call_id for batch in seen for call_id in batch]
    assert most == max(map(len, seen))


def test_results_of_some_calls_make_room_for_the_next() -> None:
    """Section 5: a host reports any subset, also of calls that no decision has held yet."""
    driver = Driver(agent(dialect="native", limits={"max_parallel": 3}))
    driver.send(_native(6))
    driver.send(results(result("call_2", 1), result("call_5", 1)))
    assert ["call_1", "call_3", "call_4"] == list(driver.calls())
    assert "call_1" == driver.decision["call_id"]


def _native(number: int) -> dict[str, Any]:
    call = {"type": "function", "function": {"name": "add_numbers", "arguments": '{"a":1,"b":2}'}}
    return said(None, tool_calls=[{"id": f"x{at}", **call} for at in range(number)])
