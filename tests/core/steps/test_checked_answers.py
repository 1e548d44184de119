"""Check tools: a tool of the host judges an answer before anybody is given it."""

from tests.core.agents import final, said
from tests.core.check_runs import ANSWERED, check_result, checked
from tests.core.driver import Driver, assert_replays


def test_an_answer_is_checked_by_a_tool() -> None:
    """An answer that passes the data is shown to its check, and done once that accepts it."""
    driver = Driver(checked(checks=[ANSWERED]))
    driver.send(said(final("It works.")))
    [check] = driver.decision["calls"]
    assert ("run_tests", {"said": "It works."}, "answer") == (check["tool"], check["params"], check["checks"])
    driver.send(check_result("call_1", True))
    assert {"type": "done", "answer": "It works."} == driver.decision
    assert_replays(driver)


def test_a_rejected_answer_is_corrected_once_and_then_fails() -> None:
    """A check sends an answer back as any other does, with its reason."""
    driver = Driver(checked(checks=[ANSWERED]))
    driver.send(said(final("It works.")))
    driver.send(check_result("call_1", False, reason="two tests fail"))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "Your last answer was rejected: two tests fail." in driver.messages[-1]["content"]
    driver.send(said(final("It works now.")))
    driver.send(check_result("call_2", False))
    assert ("failed", "tool") == (driver.decision["type"], driver.decision["detail"]["check"])
    assert "run_tests, put that right" in driver.decision["message"]
    assert_replays(driver)


def test_the_data_of_an_answer_is_checked_and_kept() -> None:
    """With an answer schema the check is shown the data; what was coerced is reported with the answer."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    rule = {"tool": "run_tests", "params": {"said": "/output/n"}}
    definition = checked(answer_schema=schema, policies=[{"use": "coerce"}], checks=[rule])
    driver = Driver(definition)
    driver.send(said(final({"n": "7"})))
    assert {"said": 7} == driver.decision["params"]
    driver.send(check_result("call_1", True))
    assert ({"n": 7}, "repaired") == (driver.decision["data"], driver.decision["problems"][0]["code"])
    assert_replays(driver)
    driver = Driver({**definition, "checks": [{"tool": "run_tests", "params": {"said": "/output/m"}}]})
    driver.send(said(final({"n": 7})))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])


def test_the_budget_ends_an_answer_that_cannot_be_checked() -> None:
    """Without a call left for its check, an answer is not given."""
    driver = Driver(checked(checks=[ANSWERED], limits={"max_tool_calls": 1}))
    driver.send(said(final("It works.")))
    driver.send(check_result("call_1", False))
    driver.send(said(final("It works now.")))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])


def test_a_cancelled_answer_is_not_given() -> None:
    """Where a run ends while its answer is checked, there is no answer."""
    driver = Driver(checked(checks=[ANSWERED]))
    driver.send(said(final("It works.")))
    number = len(driver.messages)
    driver.send({"type": "cancel"})
    assert ("failed", number) == (driver.decision["type"], len(driver.messages))
    assert "judged" not in driver.state["exchange"]
    assert_replays(driver)
