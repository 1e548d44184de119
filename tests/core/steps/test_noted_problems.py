"""What is not read as written is visible: in the decision, in the state, and in the log's derived line."""

import json
from typing import Any

import pytest

import purestep
from purestep.bounds import MAX_NOTED_PROBLEMS
from purestep.steps.output import noted_problems
from purestep.values import Problem
from tests.core.agents import agent, said
from tests.core.driver import Driver

TOOL: dict[str, Any] = {"name": "gw", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}
FENCED = {"code": "repaired", "message": "the object stood in a code fence"}
BRACKET = {"code": "repaired", "message": "a bracket too many was left out"}


def _driver(dialect: str, **members: Any) -> Driver:
    return Driver(agent(dialect=dialect, tools=[TOOL], **members))


def _verified(driver: Driver) -> dict[str, Any]:
    verified: dict[str, Any] = json.loads(purestep.verify_log(driver.log, (driver.state or {})["head"]))
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (driver.state, driver.decision) == (replayed["state"], replayed["decision"])
    return verified


def test_repaired_call_says_so_where_it_runs() -> None:
    """A call that was repaired carries the note in `invoke_tool` and in its log line; the log verifies."""
    driver = _driver("auto")
    driver.send(said('{"name": "gw", "arguments": {"city": "Bern"}}}'))
    assert ("invoke_tool", [BRACKET]) == (driver.decision["type"], driver.decision["problems"])
    assert [[BRACKET]] == [event["problems"] for event in driver.events("tool_call")]
    assert _verified(driver)["ok"]
    driver.give_all("sunny")
    assert "problems" not in driver.decision
    assert _verified(driver)["ok"]


def test_repaired_answer_says_so() -> None:
    """An answer whose envelope was repaired carries the note in `done` and in its log line."""
    driver = _driver("envelope")
    driver.send(said('```json\n{"kind":"final","content":"4"}\n```'))
    assert {"type": "done", "answer": "4", "problems": [FENCED], "acts": []} == driver.decision
    assert [[FENCED]] == [event["problems"] for event in driver.events("final_answer")]
    assert _verified(driver)["ok"]


def test_correction_names_what_could_not_be_read() -> None:
    """A correction carries the problems of the output, fatal ones too; the next output starts without them."""
    driver = _driver("hermes_json")
    driver.send(said("<tool_call>no call</tool_call>"))
    assert ["parse_error"] == [problem["code"] for problem in driver.decision["problems"]]
    assert driver.decision["problems"] == driver.events("correction")[0]["problems"]
    assert _verified(driver)["ok"]
    driver.send(said("It is 4."))
    assert {"type": "done", "answer": "It is 4.", "acts": []} == driver.decision
    assert _verified(driver)["ok"]


def test_person_who_approves_sees_the_note() -> None:
    """A call that waits for a person: the request says what of the output was not read as written."""
    driver = _driver("auto", approval={"default": "ask"})
    driver.send(said('{"name": "gw", "arguments": {"city": "Bern"}}}'))
    assert ("request_approval", [BRACKET]) == (driver.decision["type"], driver.decision["problems"])
    driver.answer_all(True)
    assert [BRACKET] == driver.decision["problems"]
    assert _verified(driver)["ok"]


def test_what_is_read_as_written_has_no_problems() -> None:
    """No member where nothing is to be said: decisions, state and log are as they were."""
    driver = _driver("auto")
    driver.send(said('<tool_call>{"name": "gw", "arguments": {"city": "Bern"}}</tool_call>'))
    assert "problems" not in driver.decision
    assert '"problems"' not in driver.log
    assert "problems" not in driver.state["exchange"]


@pytest.mark.parametrize("number", [1, MAX_NOTED_PROBLEMS, MAX_NOTED_PROBLEMS + 1, 500])
def test_number_and_length_of_problems_are_bounded(number: int) -> None:
    """The state and a log line name a bounded number of problems, each once, each cut."""
    problems = tuple(Problem(code="repaired", message=f"{index} " + "x" * 5000) for index in range(number))
    noted = noted_problems((*problems, *problems))
    assert min(number, MAX_NOTED_PROBLEMS) == len(noted)
    assert max(len(problem.message) for problem in noted) < 500
    if number > MAX_NOTED_PROBLEMS:
        assert f"and {number - MAX_NOTED_PROBLEMS + 1} more" == noted[-1].message
