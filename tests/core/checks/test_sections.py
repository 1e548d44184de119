"""The guardrail `observations`: an answer after tool use has its observations, then the final answer."""

import json

import pytest

from tests.core.agents import ADD, call, final, said
from tests.core.driver import Driver, stepped

GOOD = "OBSERVATIONS\nThe sum is 42.\n\nFINAL ANSWER\nIt is 42."


def _summed(**members: object) -> Driver:
    driver = Driver({"tools": [ADD], "checks": ["observations"], **members}, "What is 17 plus 25?")
    driver.send(said(call("add_numbers", a=17, b=25)))
    driver.give_all(42)
    return driver


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "## Observations:\n- 42\n\n## Final answer:\n42",
        "**OBSERVATIONS**\n42\n**FINAL ANSWER**\n42",
        "Observation: it said 42.\r\nFinal Answer: 42",
        "Here it is.\nOBSERVATIONS\r\n42\r\nFINAL ANSWER\r\n42",
        "**Observations:** 42\n**Final Answer:** 42",
        "> OBSERVATIONS\n\u0443\u043d\u0438 42\n> FINAL ANSWER\n\u5341",
    ],
)
def test_an_answer_in_two_sections_is_one(text: str) -> None:
    """Headings may be written as models write them: in any case, marked, with or without a colon."""
    driver = _summed()
    assert {"type": "done", "answer": text} == driver.send(said(final(text)))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("It is 42.", "it has no OBSERVATIONS section"),
        ("FINAL ANSWER\n42", "it has no OBSERVATIONS section"),
        ("My observations are few.\nFINAL ANSWER\n42", "it has no OBSERVATIONS section"),
        ("OBSERVATIONS\n42", "it has no FINAL ANSWER section after its OBSERVATIONS"),
        ("FINAL ANSWER\n42\nOBSERVATIONS\n42", "it has no FINAL ANSWER section after its OBSERVATIONS"),
        ("OBSERVATIONS\n \nFINAL ANSWER\n42", "its OBSERVATIONS section is empty"),
        ("OBSERVATIONS: FINAL ANSWER: 42", "it has no FINAL ANSWER section after its OBSERVATIONS"),
        ("OBSERVATIONS\n42\nFINAL ANSWER\n\n", "its FINAL ANSWER section is empty"),
    ],
)
def test_an_answer_that_lacks_a_section_is_corrected_once(text: str, problem: str) -> None:
    """The correction says what is missing; a second such answer fails."""
    driver = _summed()
    driver.send(said(final(text)))
    assert ("correction", "answer_schema") == (driver.decision["reason"], driver.decision["cause"])
    assert problem in driver.messages[-1]["content"]
    driver.send(said(final(text)))
    assert ("failed", "answer_schema") == (driver.decision["type"], driver.decision["code"])


def test_without_a_tool_any_answer_will_do() -> None:
    """The sections are demanded once a tool has given a result, or one of those named."""
    driver = Driver({"tools": [ADD], "checks": ["observations"]})
    assert "done" == driver.send(said(final("Hello.")))["type"]
    other = {"name": "look"}
    driver = _summed(checks=[{"use": "observations", "tools": ["look"]}], tools=[ADD, other])
    assert "done" == driver.send(said(final("42")))["type"]


def test_the_prompt_shows_the_sections() -> None:
    """The system text names the sections, and an example that answers after a result has them."""
    models = [{"name": "m", "carry": "ground"}]
    texts = [message["content"] for message in _summed(models=models).messages]
    assert "first OBSERVATIONS, with facts" in texts[0]
    assert json.loads(texts[4])["content"] == "OBSERVATIONS\n5\n\nFINAL ANSWER\n5"


def test_sections_and_json_are_refused_together() -> None:
    """An answer cannot be JSON and have sections."""
    definition = {"checks": ["planning", "observations"], "answer_schema": {"type": "object"}}
    error = stepped(agent=definition, observation={"type": "user_message", "content": "x"})["error"]
    assert ("invalid_agent", "/checks/1") == (error["code"], error["path"])
