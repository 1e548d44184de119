"""The guardrail `claims` on values of an answer that neither the user nor a result has said."""

from typing import Any

import pytest

from tests.core.agents import call, final, said, tool
from tests.core.claims.billing import told
from tests.core.driver import Driver

S = {"type": "string"}
READS = {"annotations": {"readOnlyHint": True}}
TOOLS: dict[str, Any] = {
    "instructions": "The store is open until 20:30, and its number is 8840217735.",
    "tools": [
        tool("sales", {"branch": S}, description="Sales of a branch today.", **READS),
        tool(
            "close_branch",
            {"branch": {"type": "string", "description": "Opened at 08:15, for a fee of 61.75."}},
            description="Close a branch.",
            annotations={"readOnlyHint": False},
        ),
    ],
}
NORTH = ("sales", {"branch": "north"}, {"sales": 412.5, "customers": 33})
SOUTH = ("sales", {"branch": "south"}, 330)
PROSE = (
    "sales",
    {"branch": "north"},
    f"{'The branch in the north, which is the oldest of all. ' * 3}It sold 412.5 to 33 customers; "
    "since 2019 it has sold 61,907 on 1,204 days.",
)
TABLE = ("sales", {"branch": "all"}, [[branch, 100 + branch] for branch in range(60)])
QUESTION = "How did north do at 11.90 each, of the 31 days?"


@pytest.mark.parametrize(
    "text",
    [
        "North sold 412.5, with 187.32 before noon and 143.9 after it.",
        "North sold 412.5, receipt 0034043416.",
        "North sold 412.5; the best hour was 17:45, with order KX-20417.",
        "North sold 4,267 to 335 customers.",
        "July 48,210, August 51,980 and September 60,455.",
    ],
)
def test_values_that_nothing_has_said_are_rejected(text: str) -> None:
    """Two values that stand nowhere and follow from nothing, or one long number, were made up."""
    assert "guardrail" == told(TOOLS, QUESTION, text, NORTH)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("North sold 412.5 to 33 customers, 12.5 each.", (NORTH,)),
        ("North sold 412.5, south 330: 742.5 together, 82.5 or 25 % more, 371.25 on average.", (NORTH, SOUTH)),
        ("412.5 at 11.90 are 4,908.75, and with 10 % off 4,417.88.", (NORTH,)),
        ("412.5 pounds are 187.1 kg; a pound has 453.59 g.", (NORTH,)),
        ("At 33 °C, that is 91.4 °F, north sold 412.5.", (NORTH,)),
        ("North sold 412.5 to 33 customers on 1,204 days, 61,907 since 2019.", (PROSE,)),
        ("That is 51.4 a day: 61,907 sold on 1,204 days.", (PROSE,)),
        ("North sold 412.5. You can still come until 20:30, or call 8840217735.", (NORTH,)),
        ("North sold 412.5. Closing costs 61.75, from 08:15 on.", (NORTH,)),
        ("North sold 412.5, and 187.32 before noon; I say 187.32.", (NORTH,)),
        ("North sold 412.5, the most since 1998 or 2003.", (NORTH,)),
        ("North sold 412.5. Was it 187.32 before noon, or 143.9?", (NORTH,)),
        ("Some branches sold 812.7 and 911.3.", (TABLE,)),
        ("North sold 412.5, but I do not know of 187.32.", (NORTH,)),
    ],
)
def test_values_that_were_said_or_follow_are_taken(text: str, calls: tuple[Any, ...]) -> None:
    """Sums, shares, units, years, instructions, questions, and what stands in long results are not judged."""
    assert None is told(TOOLS, QUESTION, text, *calls)


def test_values_of_an_earlier_exchange_are_taken() -> None:
    """What was said before is not known any more, so a later exchange is not judged by this."""
    driver = Driver(TOOLS, QUESTION)
    for query, branch, output in (("", "north", 412.5), ("And south?", "south", 330)):
        if query:
            driver.send({"type": "user_message", "content": query})
        driver.send(said(call("sales", branch=branch)))
        driver.give_all(output)
        driver.send(said(final(f"It sold {output}, and before 187.32 and 143.9." if query else "It sold 412.5.")))
    assert "done" == driver.decision["type"]


def test_values_that_came_along_with_the_message_are_taken() -> None:
    """Data beside the user's words is known as results are."""
    driver = Driver(TOOLS, QUESTION)
    message = {"type": "user_message", "content": "And now?", "data": [{"text": "before noon 187.32, after it 143.9"}]}
    stated = Driver(TOOLS, QUESTION)
    for each, first in ((driver, message), (stated, {**message, "data": [{"text": "before noon"}]})):
        each.state, each.messages, each.log = None, [], ""
        each.send(first)
        each.send(said(call("sales", branch="north")))
        each.give_all(NORTH[2])
        each.send(said(final("North sold 187.32 and 143.9.")))
    assert ("done", "call_model") == (driver.decision["type"], stated.decision["type"])


def test_correction_names_the_value() -> None:
    """The model reads which value stands nowhere."""
    driver = Driver(TOOLS, QUESTION)
    driver.send(said(call("sales", branch="north")))
    driver.give_all(NORTH[2])
    driver.send(said(final("North sold 187.32 and 143.9.")))
    assert 'it says "187.32", which stands neither' in driver.prompt()[-1]["content"]
