"""Counts of what was done: an answer does not say more than the calls did one by one."""

from typing import Any

import pytest

from tests.core.agents import tool
from tests.core.claims.billing import told

TEXT = {"type": "string"}
TASKS: dict[str, Any] = {"tools": [tool("add_task", {"text": TEXT, "labels": {"type": "array"}})]}
LONGER: dict[str, Any] = {**TASKS, "limits": {"max_turns": 50, "max_tool_calls": 50}}
MANY: dict[str, Any] = {"tools": [tool("add_tasks", {"tasks": {"type": "array"}})]}
TUGS: dict[str, Any] = {"tools": [tool("order_tug", {"ship": TEXT, "count": {"type": "integer"}})]}
ASKED = "Add three tasks: wash the car, pay rent, phone mum"
CAR, RENT, MUM = ({"text": text, "labels": []} for text in ("wash the car", "pay rent", "phone mum"))


SHELVES = [{"text": f"dust shelf {letter}", "labels": []} for letter in "abcdefghijklmnopqrstuvwxyz"]


def _calls(name: str, *params: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    return [(name, each, "ok") for each in params]


@pytest.mark.parametrize(
    ("agent", "query", "text", "calls", "cause"),
    [
        (TASKS, ASKED, "All three tasks are on your list.", _calls("add_task", CAR, RENT, MUM), None),
        (TASKS, ASKED, "All three tasks are on your list.", _calls("add_task", CAR, RENT), "guardrail"),
        (TASKS, ASKED, "All 3 tasks are added.", _calls("add_task", CAR, RENT), "guardrail"),
        (TASKS, ASKED, "Done! They are on your list.", _calls("add_task", CAR, RENT), "guardrail"),
        (TASKS, ASKED, "I added two tasks; phone mum was there before.", _calls("add_task", CAR, RENT), None),
        (TASKS, ASKED, "I added two, but could not add the third.", _calls("add_task", CAR, RENT), None),
        # One call may have done all of them.
        (TASKS, ASKED, "All three tasks are on your list.", _calls("add_task", CAR), None),
        (MANY, ASKED, "All three tasks are added.", _calls("add_tasks", {"tasks": ["a", "b"]}, {"tasks": ["c"]}), None),
        (
            TUGS,
            "Order two tugs for the Aurora and the Borea each",
            "Four tugs are on their way.",
            _calls("order_tug", {"ship": "Aurora", "count": 2}, {"ship": "Borea", "count": 2}),
            None,
        ),
        # A number that stands before the noun only where the words are kept is none of its own.
        (TASKS, "Add tasks for room 305: paint, sweep", "Both are added.", _calls("add_task", CAR, RENT), None),
        (TASKS, "Add 5 and 7 to my list", "Both are added.", _calls("add_task", CAR, RENT), None),
        # Of so many calls nobody knows how many there were.
        (LONGER, "Add all tasks", "All 40 tasks are added.", _calls("add_task", *SHELVES), None),
        # What is counted is none of what the tool is about.
        (TASKS, "Add wash the car and pay rent in five days", "Added both.", _calls("add_task", CAR, RENT), None),
    ],
)
def test_no_more_is_told_than_was_done(
    agent: dict[str, Any], query: str, text: str, calls: list[tuple[str, Any, Any]], cause: str | None
) -> None:
    """Two calls of a tool that adds one task have not added three."""
    assert told(agent, query, text, *calls) == cause
