"""The guardrail `planning`: talk of work to come, and honest words about what a call does later."""

from typing import Any

import pytest

from tests.core.agents import ADD, agent, call, final, said, tool
from tests.core.driver import Driver

CLOCK = tool("set_alarm", {"time": {"type": "string"}}, annotations={"readOnlyHint": False}, approval="auto")
MAIL = tool("send_mail", {"to": {"type": "string"}}, annotations={"readOnlyHint": False}, approval="auto")
LOOK = tool("find_timer", {"name": {"type": "string"}}, annotations={"readOnlyHint": True})
TOOLS: dict[str, Any] = {"tools": [CLOCK, MAIL, LOOK], "checks": ["planning"]}

KEPT = [
    ("Wake me at 6:30", "I'll wake you at 6:30."),
    ("Wake me at 6:30", "Okay, I will wake you up at 06:30. Sleep well!"),
]


def answered(query: str, answer: str, *, acts: bool = True, **members: Any) -> Any:
    """Return the cause of the correction of an answer, or "done"."""
    driver = Driver({**TOOLS, **members}, query)
    if acts:
        driver.send(said(call("set_alarm", time="06:30")))
        driver.give_all("ok")
    decision = driver.send(said(final(answer)))
    return decision.get("cause", decision["type"])


@pytest.mark.parametrize(("query", "answer"), KEPT)
def test_what_a_call_does_later_is_no_plan(query: str, answer: str) -> None:
    """The alarm is set: that it will ring is the answer."""
    assert "done" == answered(query, answer)


@pytest.mark.parametrize(("query", "answer"), KEPT)
def test_the_same_words_without_a_call_are_a_plan(query: str, answer: str) -> None:
    """Nothing was set, so nothing will ring."""
    assert "inconclusive" == answered(query, answer, acts=False)


@pytest.mark.parametrize("text", ["I will not delete anything.", "I'll remember that."])
def test_what_is_declined_or_said_without_tools_is_an_answer(text: str) -> None:
    """A refusal plans nothing; without a tool there is nothing to plan with."""
    assert "done" == Driver({"checks": ["planning"]}, "Remember that.").send(said(final(text)))["type"]
    named = agent(tools=[ADD], checks=["planning"])
    assert "done" == Driver(named, "Delete all.").send(said(final("I will not do that.")))["type"]


def test_a_call_that_only_looked_backs_no_promise() -> None:
    """What reads sets nothing up."""
    driver = Driver(TOOLS, "Wake me at 6:30")
    driver.send(said(call("find_timer", name="6:30")))
    driver.give_all("none at 6:30")
    assert "inconclusive" == driver.send(said(final("I'll wake you at 6:30.")))["cause"]
