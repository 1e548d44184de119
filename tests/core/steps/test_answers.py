"""Answers: planning, obligation, answer schema."""

from typing import Any

import pytest

from tests.core.agents import ADD, SHELL, agent, call, failure, final, results, said
from tests.core.driver import Driver

PLANS = [
    "I will now list the files.",
    "I'll check the weather.",
    "I’ll check the weather.",
    "Let me look that up.",
    "Okay, let me look that up.",
    "Sure! I'm going to search for it.",
    "First, I will read the file.",
    "Let's start by listing the files.",
    "I need to use the shell tool.",
    "Next, I'll add the numbers.",
]
ANSWERS = [
    "Let me know if you need more.",
    "The files are a and b.",
    "Illness is a topic.",
    "It will rain.",
    "Let meat rest for ten minutes.",
    "I willed it.",
]


@pytest.mark.parametrize("text", PLANS)
def test_planning_without_action_is_inconclusive(text: str) -> None:
    """D25: talk of what will be done is retried once, then it is a failure."""
    driver = Driver(agent(checks=["planning"]))
    assert "inconclusive" == driver.send(said(final(text))).get("cause")
    assert ("failed", "inconclusive") == (driver.send(said(final(text)))["type"], driver.decision["code"])


@pytest.mark.parametrize("text", ANSWERS)
def test_answer_that_only_sounds_like_a_plan_is_taken(text: str) -> None:
    """D25: an answer is not lost to a word that begins like a plan."""
    expected = {"type": "done", "answer": text, "acts": []}
    assert expected == Driver(agent(checks=["planning"])).send(said(final(text)))


def test_long_text_that_begins_with_a_plan_is_an_answer() -> None:
    """D25: a long text holds its answer too."""
    text = "I will now list the files. " + "file " * 100
    assert "done" == Driver(agent(checks=["planning"])).send(said(final(text)))["type"]


def test_planning_is_a_check_of_the_bare_form() -> None:
    """A6, D25: without a definition any text is the answer, but for talk of what will be done."""
    driver = Driver()
    assert "inconclusive" == driver.send(said("I will now list the files."))["cause"]
    assert {"type": "done", "answer": "Two files."} == driver.send(said("Two files."))


@pytest.mark.parametrize("named", [{}, {"checks": []}, {"checks": ["values"]}])
def test_a_definition_has_the_checks_that_it_names(named: dict[str, Any]) -> None:
    """D22: none is on by itself, so that no honest answer is sent back for its words."""
    assert "done" == Driver(agent(**named)).send(said(final("Let me see.")))["type"]


OBLIGED: dict[str, Any] = {"tools": [ADD, SHELL], "checks": ["obligation"]}


def test_answer_without_the_demanded_tool_call_is_rejected() -> None:
    """D24: an answer from memory is sent back once, then it is a failure."""
    driver = Driver(OBLIGED)
    assert "obligation" == driver.send(said(final("It is 3.")))["cause"]
    assert ("failed", "obligation") == (driver.send(said(final("It is 3.")))["type"], driver.decision["code"])


def test_answer_after_the_demanded_tool_call_is_taken() -> None:
    """D24: after an accepted result the answer counts."""
    driver = Driver(OBLIGED)
    driver.send(said(final("It is 3.")))
    driver.send(said(call("add_numbers", a=1, b=2)))
    driver.give_all(3)
    assert {"type": "done", "answer": "It is 3.", "acts": []} == driver.send(said(final("It is 3.")))


def test_call_that_failed_does_not_meet_the_obligation() -> None:
    """D24: success is not claimed without a tool result."""
    driver = Driver(OBLIGED)
    driver.send(said(call("add_numbers", a=1, b=2)))
    driver.send(results(failure("call_1", "broken")))
    assert "obligation" == driver.send(said(final("It is 3.")))["cause"]


def test_refused_call_does_not_meet_the_obligation() -> None:
    """D24: a refused call gave no result."""
    driver = Driver(OBLIGED)
    driver.send(said(call("shell", command="ls")))
    driver.answer_all(False)
    assert "obligation" == driver.send(said(final("Two files.")))["cause"]


def test_obligation_can_name_its_tools() -> None:
    """D24: with `tools` one of these must have been used, another does not count."""
    driver = Driver({**OBLIGED, "checks": [{"use": "obligation", "tools": ["shell"]}]})
    driver.send(said(call("add_numbers", a=1, b=2)))
    driver.give_all(3)
    assert "obligation" == driver.send(said(final("x y z")))["cause"]
    assert "shell" in driver.prompt()[-1]["content"]


def test_obligation_holds_for_each_exchange() -> None:
    """D24: a result of an earlier question does not stand for a later one."""
    driver = Driver(OBLIGED)
    driver.send(said(call("add_numbers", a=1, b=2)))
    driver.give_all(3)
    driver.send(said(final("It is 3.")))
    driver.send({"type": "user_message", "content": "And 2+2?"})
    assert "obligation" == driver.send(said(final("It is 4.")))["cause"]


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "people": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("envelope", final({"city": "Oslo", "people": 7})),
        ("envelope", final('{"city":"Oslo","people":7}')),
        ("tool_tags", '{"people": 7.0, "city": "Oslo"}'),
        ("native", ' {"city": "Oslo", "people": 7} '),
    ],
)
def test_answer_that_fits_its_schema_comes_as_data(dialect: str, text: str) -> None:
    """D28, section 6: `done` carries the answer's value, with integers as integers."""
    decision = Driver({"dialect": dialect, "answer_schema": SCHEMA}).send(said(text))
    assert ("done", {"city": "Oslo", "people": 7}) == (decision["type"], decision.get("data"))
    assert isinstance(decision["data"]["people"], int)
    assert isinstance(decision["answer"], str)


@pytest.mark.parametrize("content", ["Oslo", {"people": 7}, {"city": 1}, {"city": "Oslo", "x": 1}, "{", "null", 7])
def test_answer_that_does_not_fit_is_corrected_then_fails(content: Any) -> None:
    """D28: one correction with the path, then a failure with the code answer_schema."""
    driver = Driver({"answer_schema": SCHEMA})
    assert "answer_schema" == driver.send(said(final(content))).get("cause")
    assert ("failed", "answer_schema") == (driver.send(said(final(content)))["type"], driver.decision["code"])


def test_schema_correction_names_what_is_wrong() -> None:
    """D28: the correction names path, expected and got."""
    driver = Driver({"answer_schema": SCHEMA})
    driver.send(said(final({"city": "Oslo", "people": "many"})))
    text = driver.prompt()[-1]["content"]
    assert all(part in text for part in ("/people", "integer", '"many"'))


@pytest.mark.parametrize(
    ("schema", "content", "data"),
    [
        ({"type": "string"}, "Oslo", "Oslo"),
        ({"enum": ["yes", "no"]}, "yes", "yes"),
        ({"type": "integer"}, "42", 42),
        ({"type": ["object", "null"]}, "null", None),
        ({"type": "array"}, [1], [1]),
    ],
)
def test_answer_schema_may_be_of_any_type(schema: dict[str, Any], content: Any, data: Any) -> None:
    """D28: text, numbers, null and lists are answers too."""
    decision = Driver({"answer_schema": schema}).send(said(final(content)))
    assert ("done", True, data) == (decision["type"], "data" in decision, decision.get("data"))


def test_data_is_in_the_log_and_comes_again() -> None:
    """E29: the value of an answer is part of the final fact."""
    driver = Driver({"answer_schema": SCHEMA})
    driver.send(said(final({"city": "Oslo"})))
    assert {"city": "Oslo"} == driver.events("final_answer")[0]["data"]


def test_without_a_schema_there_is_no_data() -> None:
    """Section 6: data comes only where a schema was given."""
    assert "data" not in Driver(agent()).send(said(final('{"city":"Oslo"}')))


def test_wrong_answers_of_different_causes_each_get_their_correction() -> None:
    """Section 4: corrections are counted for each cause."""
    driver = Driver({**OBLIGED, "checks": ["planning", "obligation"]})
    causes = [driver.send(said(text)).get("cause") for text in (final("Let me see."), final("3"), "prose")]
    assert ["inconclusive", "obligation", "parse_error"] == causes
