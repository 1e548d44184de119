"""Runs that go on under another definition: after an answer, while calls wait, with what cannot go on so."""

from typing import Any

from tools.vectors.observations import ADD_CALL, FORTY_TWO, Scenario, final, native, results, said, user
from tools.vectors.specs import ADD, ERASE, FIND, SHELL


def changed(**definition: Any) -> dict[str, Any]:
    """Return the observation of another definition."""
    return {"type": "agent_changed", "agent": definition}


_FINDER = changed(name="finder", instructions="Be brief.", tools=[FIND])
_CALLS = native(("add_numbers", '{"a":17,"b":25}'), ("shell", '{"command":"ls"}'), ("add_numbers", '{"a":1,"b":1}'))
_ALLOWED = {"type": "approvals", "approvals": [{"call_id": "call_2", "key": "$call_2", "approved": True}]}

STEPS: dict[str, Scenario] = {
    "changed": (
        "adder",
        [user("q"), said(final('"a"')), _FINDER, user("Find it."), said(ADD_CALL), said(final('"b"')), user("And?")],
    ),
    "changed-amid-a-call": ("adder", [user("q"), said(ADD_CALL), {**_FINDER, "at": 5}, said(final('"It may be 42."'))]),
    "changed-amid-results": (
        "pairs",
        [
            user("q"),
            _CALLS,
            _ALLOWED,
            results(("call_1", 42)),
            changed(dialect="native", tools=[{**ADD, "approval": "deny"}, {**SHELL, "approval": "auto"}]),
            results(("call_2", "a.txt")),
            said("It is 42."),
        ],
    ),
    "changed-to-stricter": (
        "pairs",
        [
            user("q"),
            native(("add_numbers", '{"a":17,"b":25}')),
            changed(dialect="native", tools=[ERASE, {**ADD, "approval": "ask"}]),
        ],
    ),
    "changed-after-a-failure": ("strict", [user("q", 0), said(ADD_CALL, 1001), _FINDER, user("Again.")]),
    "changed-dialect": (
        "pairs",
        [user("q"), native(("add_numbers", '{"a":17,"b":25}')), _FINDER, FORTY_TWO, _FINDER, said(final('"42"'))],
    ),
    "changed-while-it-waits": (
        "adder",
        [user("q"), user("Be quick."), _FINDER, said(final('"a"')), said(final('"b"'))],
    ),
    "changed-to-a-window": ("adder", [user("q"), changed(tools=[ADD], models=[{"name": "m", "window_tokens": 4000}])]),
    "changed-to-carry": ("adder", [user("q"), changed(tools=[ADD], models=[{"name": "m", "carry": "ground"}])]),
    "changed-to-nothing": ("adder", [user("q"), {"type": "agent_changed", "agent": None}]),
    "changed-to-what-is-no-definition": (
        "adder",
        [user("q"), changed(tools=[{"name": "x", "parameters": {"type": 7}}])],
    ),
}
"""Runs of the delta form."""
