"""The repeat guard: the same call with the same result is corrected, then forbidden, then ends the run."""

import json
from typing import Any

from tests.core.agents import agent, call, failure, final, listed, results, said
from tests.core.driver import Driver

SAME = call("add_numbers", a=1, b=2)


def _used(driver: Driver, output: Any = "three", text: str = SAME) -> dict[str, Any]:
    driver.send(said(text))
    return driver.give_all(output) if driver.decision["type"] == "invoke_tool" else driver.decision


def test_first_repetition_is_corrected() -> None:
    """Section 6: the same call with the same result brings feedback with cause repeated_call, and its result."""
    driver = Driver(agent())
    assert "tool_results" == _used(driver)["reason"]
    decision = _used(driver)
    assert ("correction", "repeated_call") == (decision["reason"], decision["cause"])
    assert "three" in driver.prompt()[-1]["content"]
    assert ["repeated_call"] == [event["cause"] for event in driver.events("correction")]


def test_second_repetition_is_not_run_and_the_tool_withheld() -> None:
    """A call that was corrected is not run again, and its tool is not offered in the next turn."""
    driver = Driver(agent())
    _used(driver)
    _used(driver)
    assert "call_model" == driver.send(said(SAME))["type"]
    assert 2 == len(driver.events("tool_result"))
    assert ["add_numbers"] == driver.state["exchange"]["withheld"]
    assert "add_numbers" not in json.dumps(driver.decision["response_format"])


def test_third_repetition_ends_the_run() -> None:
    """A model that keeps making the same call does not burn all turns."""
    driver = Driver(agent())
    _used(driver)
    _used(driver)
    driver.send(said(SAME))
    assert ("failed", "repeated_call") == (driver.send(said(SAME))["type"], driver.decision["code"])


def test_answer_after_the_correction_is_taken() -> None:
    """The correction leads out of the loop."""
    driver = Driver(agent())
    _used(driver)
    _used(driver)
    assert {"type": "done", "answer": "three", "acts": []} == driver.send(said(final("three")))


def test_different_result_is_no_repetition() -> None:
    """Polling a thing that changes is meant."""
    driver = Driver(agent())
    assert ["tool_results"] * 8 == [_used(driver, f"state {number}")["reason"] for number in range(8)]


def test_different_argument_is_no_repetition() -> None:
    """A guard that looks at names only would stop honest work."""
    driver = Driver(agent())
    reasons = [_used(driver, "same", call("add_numbers", a=number, b=2))["reason"] for number in range(8)]
    assert ["tool_results"] * 8 == reasons


def test_other_call_in_between_does_not_hide_a_repetition() -> None:
    """A cycle of two calls is a repetition too."""
    driver = Driver(agent())
    other = call("add_numbers", a=5, b=5)
    _used(driver)
    _used(driver, "ten", other)
    assert "repeated_call" == _used(driver)["cause"]


def test_other_form_of_the_same_arguments_is_a_repetition() -> None:
    """Key order, number form and fences make no new call."""
    driver = Driver(agent())
    _used(driver)
    same = '```json\n{"arguments":{"b":2.0,"a":1e0},"tool_name":"add_numbers","kind":"tool_call"}\n```'
    assert "repeated_call" == _used(driver, "three", same).get("cause")


def test_failures_repeat_too() -> None:
    """The same failing call again and again is a repetition."""
    driver = Driver(agent())
    for number in range(2):
        driver.send(said(SAME))
        driver.send(results(failure(f"call_{number + 1}", "timeout")))
    assert "repeated_call" == driver.decision["cause"]


def test_max_repeats_allows_more() -> None:
    """Section 4: max_repeats is how often a call may be made with the same result."""
    driver = Driver(agent(limits={"max_repeats": 3}))
    reasons = [_used(driver)["reason"] for _ in range(4)]
    assert ["tool_results", "tool_results", "tool_results", "correction"] == reasons


def test_new_exchange_starts_anew() -> None:
    """The same question on another day may need the same call."""
    driver = Driver(agent())
    _used(driver)
    driver.send(said(final("three")))
    driver.send({"type": "user_message", "content": "Again?"})
    assert "tool_results" == _used(driver)["reason"]


def test_forbidden_call_beside_a_new_one() -> None:
    """A turn with a forbidden and a new call runs the new one alone."""
    driver = Driver(agent())
    _used(driver)
    _used(driver)
    decision = driver.send(said(listed(SAME, call("add_numbers", a=7, b=7))))
    assert [{"a": 7, "b": 7}] == [entry["params"] for entry in decision["calls"]]
    driver.give_all(14)
    assert "Result of add_numbers: 14" in driver.prompt()[-1]["content"]


def test_loop_is_stopped_in_the_bare_form() -> None:
    """The bare form has the guard too: five turns of the same call do not run five times."""
    driver = Driver()
    ran = 0
    while driver.decision["type"] == "call_model":
        driver.send(said('{"tool":"x"}'))
        if driver.decision["type"] == "invoke_tool":
            ran += 1
            driver.give_all("the same")
    assert ("failed", 2) == (driver.decision["type"], ran)
